/// AltBeacon: manufacturer data of any company.
///
/// Layout: github.com/AltBeacon/spec, README.md.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 2 | company identifier, little-endian |
/// | 2 | 2 | 0xBE 0xAC |
/// | 4 | 20 | beacon identifier |
/// | 24 | 1 | power at 1 m |
/// | 25 | 1 | for the maker |
public struct AltBeacon: BeaconFrame {
  /// ``BeaconFamily/altBeacon``.
  public static var family: BeaconFamily { .altBeacon }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.number("manufacturerId"), .hex("id"), .number("power"), .number("reserved")]
  }

  /// The maker's company identifier.
  public let manufacturerId: UInt16
  /// The identifier: the first 16 bytes and more say whose beacon it is.
  public let id: Octets<20>
  /// The power at 1 m, dBm.
  public let power: Int8
  /// The byte that is left to the maker.
  public let reserved: UInt8

  /// Reads manufacturer data, company identifier included.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 26, data[2] == 0xBE, data[3] == 0xAC else { return nil }
    manufacturerId = data.uncheckedLittleEndian16(at: 0)
    id = Octets(data, at: 4)
    power = data.signed8(at: 24)
    reserved = data[25]
  }

  /// `AltBeacon`.
  @inlinable public var title: String { "AltBeacon" }

  /// manufacturerId, id, power, reserved.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.integer("manufacturerId", Int(manufacturerId))
    writer.hex("id", id)
    writer.integer("power", Int(power))
    writer.integer("reserved", Int(reserved))
  }
}
