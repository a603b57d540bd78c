public import Bluetooth

/// A Luna region: trackers in iBeacon mode are heard.
public struct LunaRegion: Hashable, Sendable {
  /// The UUID of its iBeacon frames.
  public let uuid: BluetoothUUID
  /// Its place in the list of the configuration.
  public let index: Int

  /// A region of a list.
  public init(uuid: BluetoothUUID, index: Int) {
    self.uuid = uuid
    self.index = index
  }
}
