/// What happens on a link to somebody who connected to an advertisement.
public enum PeripheralEvent: Hashable, Sendable {
  /// Somebody connected; from which address, where that is known.
  case connected(BluetoothAddress?)
  /// The two sides agreed on this ATT_MTU; it is 23 until then.
  case mtu(Int)
  /// A characteristic is read, from an offset: answer with
  /// ``AdvertisingRadio/respond(_:on:)``.
  case read(BluetoothUUID, offset: Int)
  /// A characteristic is written, all of it: answer with ``AdvertisingRadio/respond(_:on:)``.
  case write(BluetoothUUID, [UInt8])
  /// The link is down.
  case disconnected
}
