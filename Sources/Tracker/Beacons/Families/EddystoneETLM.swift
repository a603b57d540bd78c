/// Eddystone-eTLM, encrypted telemetry: service data of 0xFEAA.
///
/// Layout: github.com/google/eddystone, eddystone-tlm/tlm-encrypted.md.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 2 | 0x20 0x01: frame type and version |
/// | 2 | 12 | encrypted telemetry |
/// | 14 | 2 | salt |
/// | 16 | 2 | message integrity check |
public struct EddystoneETLM: BeaconFrame {
  /// ``BeaconFamily/eddystoneETLM``.
  public static var family: BeaconFamily { .eddystoneETLM }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] { [.hex("data"), .hex("salt"), .hex("integrityCheck")] }

  /// What ``EddystoneTLM`` has behind its version, 12 bytes, encrypted.
  public let data: Octets<12>
  /// The salt of the encryption.
  public let salt: Octets<2>
  /// The message integrity check.
  public let integrityCheck: Octets<2>

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 18, data[0] == 0x20, data[1] == 0x01 else { return nil }
    self.data = Octets(data, at: 2)
    salt = Octets(data, at: 14)
    integrityCheck = Octets(data, at: 16)
  }

  /// `Eddystone-eTLM`.
  @inlinable public var title: String { "Eddystone-eTLM" }

  /// data, salt, integrityCheck.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.hex("data", data)
    writer.hex("salt", salt)
    writer.hex("integrityCheck", integrityCheck)
  }
}
