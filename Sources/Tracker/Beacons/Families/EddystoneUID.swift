/// Eddystone-UID: service data of 0xFEAA.
///
/// Layout: github.com/google/eddystone, eddystone-uid/README.md.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | 0x00: frame type |
/// | 1 | 1 | power at 0 m |
/// | 2 | 10 | namespace |
/// | 12 | 6 | instance |
/// | 18 | 2 | reserved; left out by some |
public struct EddystoneUID: BeaconFrame {
  /// ``BeaconFamily/eddystoneUID``.
  public static var family: BeaconFamily { .eddystoneUID }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.hex("namespace"), .hex("instance"), .number("power")]
  }

  /// Who runs the beacon.
  public let namespace: Octets<10>
  /// Which of its beacons it is.
  public let instance: Octets<6>
  /// The power at 0 m, dBm.
  public let power: Int8

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 18, data[0] == 0x00 else { return nil }
    power = data.signed8(at: 1)
    namespace = Octets(data, at: 2)
    instance = Octets(data, at: 12)
  }

  /// `Eddystone-UID`.
  @inlinable public var title: String { "Eddystone-UID" }

  /// namespace, instance, power.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.hex("namespace", namespace)
    writer.hex("instance", instance)
    writer.integer("power", Int(power))
  }
}
