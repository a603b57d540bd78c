/// Eddystone-EID: service data of 0xFEAA.
///
/// Layout: github.com/google/eddystone, eddystone-eid/README.md.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | 0x30: frame type |
/// | 1 | 1 | power at 0 m |
/// | 2 | 8 | ephemeral identifier |
public struct EddystoneEID: BeaconFrame {
  /// ``BeaconFamily/eddystoneEID``.
  public static var family: BeaconFamily { .eddystoneEID }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] { [.hex("eid"), .number("power")] }

  /// The ephemeral identifier, of which only those know more with whom the beacon is registered.
  public let eid: Octets<8>
  /// The power at 0 m, dBm.
  public let power: Int8

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 10, data[0] == 0x30 else { return nil }
    power = data.signed8(at: 1)
    eid = Octets(data, at: 2)
  }

  /// `Eddystone-EID`.
  @inlinable public var title: String { "Eddystone-EID" }

  /// eid, power.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.hex("eid", eid)
    writer.integer("power", Int(power))
  }
}
