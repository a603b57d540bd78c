package import Bluetooth
import LunaCore

/// Times as people read them, on the clocks of one zone. Heads of tables say which.
package struct ClockText: Sendable {
  private let zone: any CivilZone

  /// Times on the clocks of `zone`.
  package init(_ zone: any CivilZone) { self.zone = zone }

  /// What people call the zone: `UTC`, `local`.
  package var zoneName: String { zone.name }

  /// `2026-01-02 03:04:05`
  package func dateAndTime(_ time: Timestamp) -> String {
    let text = onClocks(time).rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// `03:04:05`
  package func time(_ time: Timestamp) -> String {
    String(onClocks(time).rfc3339.dropFirst(11).prefix(8))
  }

  /// `01-02 03:04`, where the year goes without saying.
  package func dayAndTime(_ time: Timestamp) -> String {
    String(dateAndTime(time).dropFirst(5).prefix(11))
  }

  /// `2026-01-02`
  package func date(_ time: Timestamp) -> String { String(onClocks(time).rfc3339.prefix(10)) }

  /// In a sentence: `2026-01-02 03:04:05 (UTC)`
  package func moment(_ time: Timestamp) -> String { "\(dateAndTime(time)) (\(zone.name))" }

  /// The head of a column of times: `SEEN (UTC)`.
  package func head(_ title: String) -> String { "\(title) (\(zone.name))" }

  /// The moment at which clocks in UTC show what those of the zone show at `time`.
  private func onClocks(_ time: Timestamp) -> Timestamp {
    let (wall, overflows) = time.microseconds.addingReportingOverflow(
      zone.offset(at: time) * 1_000_000)
    return overflows ? time : Timestamp(microseconds: wall)
  }
}
