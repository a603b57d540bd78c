public import Bluetooth

/// Apple iBeacon: manufacturer data of company 0x004C.
///
/// Layout: "Proximity Beacon Specification", Apple, R1 (2015), section 3; the fields are big-endian.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 2 | 0x02 0x15: type and length |
/// | 2 | 16 | proximity UUID |
/// | 18 | 2 | major |
/// | 20 | 2 | minor |
/// | 22 | 1 | power at 1 m |
public struct IBeacon: BeaconFrame {
  /// ``BeaconFamily/iBeacon``.
  public static var family: BeaconFamily { .iBeacon }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.uuid("uuid"), .number("major"), .number("minor"), .number("power"), .number("region")]
  }

  /// The proximity UUID, the same for all beacons of an operator.
  public let uuid: BluetoothUUID
  /// The first number below ``uuid``, such as that of a house.
  public let major: UInt16
  /// The second number below ``uuid``, such as that of a room.
  public let minor: UInt16
  /// The power at 1 m, dBm.
  public let power: Int8
  /// Which of the Luna regions it is, 0–2: the beacon is a LunaTracker in iBeacon mode.
  public let region: Int?

  /// Reads what follows the company identifier. Some makers append bytes of their own; they are left
  /// out.
  init?(_ data: Span<UInt8>, regions: [BluetoothUUID]) {
    guard data.count >= 23, data[0] == 0x02, data[1] == 0x15 else { return nil }
    uuid = .bit128(high: data.unsigned64(at: 2), low: data.unsigned64(at: 10))
    major = data.unsigned16(at: 18)
    minor = data.unsigned16(at: 20)
    power = data.signed8(at: 22)
    region = regions.firstIndex(of: uuid)
  }

  /// `iBeacon`, or the region of a LunaTracker.
  @inlinable public var title: String { region == nil ? "iBeacon" : "LunaTracker (iBeacon)" }

  /// uuid, major, minor, power, region.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.uuid("uuid", uuid)
    writer.integer("major", Int(major))
    writer.integer("minor", Int(minor))
    writer.integer("power", Int(power))
    if let region { writer.integer("region", region) }
  }
}
