public import Bluetooth

/// Tile: the service 0xFEED, or 0xFEEC before it was activated, listed or with service data.
///
/// Layout: Kumar, Raymaker, Specter, "Security and Privacy Analysis of Tile's Location Tracking
/// Protocol" (arXiv 2510.00350); the first two bytes as in github.com/seemoo-lab/AirGuard (Tile).
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 2 | 0x02 0x00 |
/// | 2 | 8 | private identifier |
public struct Tile: BeaconFrame {
  /// ``BeaconFamily/tile``.
  public static var family: BeaconFamily { .tile }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.boolean("activated"), .hex("privateIdentifier"), .hex("data")]
  }

  /// The service of a Tile that has an owner.
  static let activatedService: UInt16 = 0xFEED
  /// The service of a Tile that has none yet.
  static let unactivatedService: UInt16 = 0xFEEC

  /// Whether it has an owner.
  public let isActivated: Bool
  /// What the owner recognises; changes every quarter of an hour, while the address does not.
  public let privateIdentifier: Octets<8>?
  /// Service data of another form; nil when there are none.
  public let data: AdvertisingPayload?

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>, isActivated: Bool) {
    guard data.count > 0 else { return nil }
    self.isActivated = isActivated
    if isActivated, data.count >= 10, data[0] == 0x02, data[1] == 0x00 {
      privateIdentifier = Octets(data, at: 2)
      self.data = nil
    } else {
      privateIdentifier = nil
      self.data = AdvertisingPayload(copying: data, count: data.count)
    }
  }

  /// A Tile that only lists its service.
  init(isActivated: Bool) {
    self.isActivated = isActivated
    privateIdentifier = nil
    data = nil
  }

  /// With its state, when it has no owner.
  @inlinable public var title: String { isActivated ? "Tile" : "Tile (not activated)" }

  /// activated, privateIdentifier, data.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.boolean("activated", isActivated)
    if let privateIdentifier { writer.hex("privateIdentifier", privateIdentifier) }
    if let data { data.withBytes { writer.hex("data", $0) } }
  }
}
