/// Eddystone-TLM, plain telemetry: service data of 0xFEAA.
///
/// Layout: github.com/google/eddystone, eddystone-tlm/tlm-plain.md; the fields are big-endian.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 2 | 0x20 0x00: frame type and version |
/// | 2 | 2 | battery, mV; 0 when there is none |
/// | 4 | 2 | temperature, 1/256 °C, signed; 0x8000 when unknown |
/// | 6 | 4 | advertisements since the start |
/// | 10 | 4 | time since the start, 0.1 s |
public struct EddystoneTLM: BeaconFrame {
  /// ``BeaconFamily/eddystoneTLM``.
  public static var family: BeaconFamily { .eddystoneTLM }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [
      .number("batteryMillivolts"), .number("temperature"), .number("advertisements"),
      .number("uptime"),
    ]
  }

  /// The voltage of the battery, mV.
  public let batteryMillivolts: UInt16?
  /// The temperature, 1/256 °C.
  public let temperature: Int16?
  /// Advertisements sent since the beacon started.
  public let advertisements: UInt32
  /// Time since the beacon started, 0.1 s.
  public let uptime: UInt32

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 14, data[0] == 0x20, data[1] == 0x00 else { return nil }
    let voltage = data.unsigned16(at: 2)
    batteryMillivolts = voltage == 0 ? nil : voltage
    let temperature = Int16(bitPattern: data.unsigned16(at: 4))
    self.temperature = temperature == .min ? nil : temperature
    advertisements = data.unsigned32(at: 6)
    uptime = data.unsigned32(at: 10)
  }

  /// `Eddystone-TLM`.
  @inlinable public var title: String { "Eddystone-TLM" }

  /// batteryMillivolts, temperature (°C), advertisements, uptime (s).
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    if let batteryMillivolts { writer.integer("batteryMillivolts", Int(batteryMillivolts)) }
    // 1/256 = 0.00390625
    if let temperature { writer.decimal("temperature", Int(temperature) * 390_625, digits: 8) }
    writer.integer("advertisements", Int(advertisements))
    writer.decimal("uptime", Int(uptime), digits: 1)
  }
}
