public import Bluetooth

/// A tracker of any network that follows the IETF draft on unwanted tracking: service data of 0xFCB2.
///
/// Layout: draft-ietf-dult-accessory-protocol, "Location-enabled advertisement payload format"; the
/// numbers of the networks: draft-detecting-unwanted-location-trackers-01, "Manufacturer Network ID
/// Registry".
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | network identifier |
/// | 1 | 1 | bit 0: near the owner |
/// | 2 | 0–22 | data of the network |
public struct DULT: BeaconFrame {
  /// ``BeaconFamily/dult``.
  public static var family: BeaconFamily { .dult }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.number("network"), .boolean("nearOwner"), .hex("data")]
  }

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

  /// With the network, when its number is a known one, and the place of the owner.
  @inlinable public var title: String {
    switch (network, nearOwner) {
    case (0x01, true): "DULT tracker, Apple (near its owner)"
    case (0x01, false): "DULT tracker, Apple (separated)"
    case (0x02, true): "DULT tracker, Google (near its owner)"
    case (0x02, false): "DULT tracker, Google (separated)"
    case (_, true): "DULT tracker (near its owner)"
    case (_, false): "DULT tracker (separated)"
    }
  }

  /// network, nearOwner, data.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.integer("network", Int(network))
    writer.boolean("nearOwner", nearOwner)
    data.withBytes { writer.hex("data", $0) }
  }
}
