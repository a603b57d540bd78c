import Bluetooth
import LunaCore
package import LunaCrypto
package import LunaProtocol

/// What trackers advertise in periods, computed from their keys: a JSON line each.
package struct PeriodLines {
  private let output: OutputBuffer

  package init(_ output: OutputBuffer) { self.output = output }

  /// Appends the periods of a LunaTracker.
  ///
  /// - Parameter revealing: whether what is never sent (botp) is shown as well.
  package func append(
    _ periods: ClosedRange<UInt32>, of masterKey: MasterKey, revealing: Bool
  ) throws {
    var schedule = try KeySchedule()
    var reports = try ReportKeyDeriver()
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else { return }
    for period in periods {
      let eid = schedule.eid(keys.identification, period: period)
      let aotp = schedule.aotp(location, period: period)
      output.appendLine("period") { writer in
        writer.integer("counter", Int64(period))
        let start = Period.start(of: period)
        PeriodLines.write("from", start, to: &writer)
        PeriodLines.write("to", start + Period.milliseconds, to: &writer)
        writer.string("eid", eid.description)
        writer.string("aotp", aotp.revealed)
        writer.string("heid", reports.heid(eid: eid, aotp: aotp).description)
        if revealing {
          schedule.botp(control, period: period).withBytes { writer.hex("botp", $0) }
        }
      }
      try output.flushIfLarge()
    }
  }

  /// Writes a time, up to the year 9999: there is no text for later ones, which the last periods have.
  private static func write(
    _ name: StaticString, _ milliseconds: Int64, to writer: inout JSONFieldWriter
  ) {
    guard milliseconds < 253_402_300_800_000 else { return }
    writer.string(name, Timestamp(unixMilliseconds: milliseconds).rfc3339)
  }

  /// Appends the rotations of an Eddystone-EID beacon.
  ///
  /// - Parameters:
  ///   - clock: what the beacon's clock shows in the first, s.
  ///   - count: how many.
  ///   - exponent: a rotation lasts 2^exponent s.
  package func appendEddystone(
    from clock: UInt32, count: UInt32, exponent: UInt8, identityKey: SecretBytes
  ) throws {
    var deriver = try EddystoneEIDDeriver()
    let first = clock >> exponent
    let last = min(UInt64(first) + UInt64(count) - 1, UInt64(UInt32.max >> exponent))
    for rotation in first...UInt32(last) {
      let start = rotation << exponent
      let eid = try deriver.eid(identityKey, counter: start, exponent: exponent)
      output.appendLine("period") { writer in
        writer.integer("counter", Int64(start))
        let end = Int64(start) + Int64(1) << Int64(exponent)
        writer.string("from", Timestamp(unixMilliseconds: Int64(start) * 1000).rfc3339)
        writer.string("to", Timestamp(unixMilliseconds: end * 1000).rfc3339)
        writer.string("eid", eid.description)
      }
      try output.flushIfLarge()
    }
  }
}
