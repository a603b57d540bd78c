package import Bluetooth
import LunaCore

/// How times stand in text: on the clocks of a person who looks at a terminal, and as data for whatever
/// reads a pipe, a file or a log.
package enum ShownTimes: Sendable {
  /// On the clocks of a zone, which is said.
  case clock(ClockText)
  /// RFC 3339 in UTC.
  case data

  /// In a sentence, or at the beginning of a line: `2026-01-02 03:04:05 (local)`.
  package func moment(_ time: Timestamp) -> String {
    switch self {
    case .clock(let clock): clock.moment(time)
    case .data: time.rfc3339
    }
  }

  /// In a column, whose head says the zone: `2026-01-02 03:04:05`.
  package func cell(_ time: Timestamp) -> String {
    switch self {
    case .clock(let clock): clock.dateAndTime(time)
    case .data: time.rfc3339
    }
  }

  /// The head of such a column: `TIME (local)`; data says its zone itself.
  package func head(_ title: String) -> String {
    switch self {
    case .clock(let clock): clock.head(title)
    case .data: title
    }
  }
}
