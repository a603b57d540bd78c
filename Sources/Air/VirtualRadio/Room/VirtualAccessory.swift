public import Bluetooth
import Synchronization

/// An advertiser of the room that takes connections of strangers: an accessory of another maker.
public struct VirtualAccessory: Hashable, Sendable {
  /// What it speaks.
  public enum Kind: Hashable, Sendable {
    /// IETF DULT and the AirTag's own sound service.
    case airTag
    /// IETF DULT, of Google's network.
    case dult
  }

  /// Which of the room it is, whatever its address.
  public let number: Int
  /// What it speaks.
  public let kind: Kind
  /// Whether it is away from its owner, as it advertises.
  public let isSeparated: Bool

  /// An accessory of a simulated room, by its number there.
  public init(number: Int, kind: Kind, isSeparated: Bool) {
    self.number = number
    self.kind = kind
    self.isSeparated = isSeparated
  }
}

extension VirtualRadioSource {
  /// The accessory that has this address now; nil when it is nobody's, or that of something that takes
  /// no connections.
  public func accessory(at address: BluetoothAddress) -> VirtualAccessory? {
    state.withLock { $0.room?.accessory(at: address) }
  }
}

extension VirtualRoom {
  /// The accessory that has this address now.
  func accessory(at address: BluetoothAddress) -> VirtualAccessory? {
    for (number, advertiser) in advertisers.enumerated() {
      guard let advertiser = advertiser as? BlueprintAdvertiser, advertiser.address == address,
        let kind = advertiser.blueprint.accessory
      else { continue }
      return VirtualAccessory(
        number: number, kind: kind, isSeparated: advertiser.blueprint.isSeparated)
    }
    return nil
  }
}
