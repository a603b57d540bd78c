public import Bluetooth

/// A tracker of any network that follows the IETF draft on unwanted tracking: service data of 0xFCB2.
///
/// Layout: draft-ietf-dult-accessory-protocol, "Location-enabled advertisement payload format".
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | network identifier |
/// | 1 | 1 | bit 0: near the owner |
/// | 2 | 0–22 | data of the network |
public struct DULT: BeaconFrame {
  /// ``BeaconFamily/dult``.
  public static var family: BeaconFamily { .dult }

  /// The network, as registered by its provider.
  public let network: UInt8
  /// Whether the owner is near.
  public let nearOwner: Bool
  /// What the network adds.
  public let data: AdvertisingPayload

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 2 else { return nil }
    network = data[0]
    nearOwner = data[1] & 1 != 0
    self.data = AdvertisingPayload(copying: data, from: 2, count: data.count &- 2)
  }

  /// With the place of the owner.
  @inlinable public var title: String {
    nearOwner ? "DULT tracker (near its owner)" : "DULT tracker (separated)"
  }

  /// network, nearOwner, data.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.integer("network", Int(network))
    writer.boolean("nearOwner", nearOwner)
    data.withBytes { writer.hex("data", $0) }
  }
}
