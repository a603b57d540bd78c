package import Bluetooth
import LunaCore

/// A time as a person gives it (CLI.md): RFC 3339, Unix seconds, a date, a date with a time of day, `now`,
/// `today`, `yesterday 09:00`, `15:00`, `24h`. What has no zone means that of the person, and so is a moment
/// only once that is known.
package struct GivenTime: Hashable, Sendable {
  /// Why it is no moment.
  package enum Problem: Error, Hashable, Sendable {
    /// The clocks were put forward over it.
    case skipped
    /// The clocks were put back, and showed it twice.
    case repeated

    /// What is wrong, to follow the time in a sentence.
    package var reason: String {
      switch self {
      case .skipped: "is no time: clocks were put forward over it"
      case .repeated: "is twice: clocks were put back over it"
      }
    }

    /// What to write instead.
    package var remedy: String { "give it with its zone, as in 2026-10-25T02:30:00+02:00" }
  }

  private enum Day: Hashable, Sendable {
    case date(LunaCore.Day)
    /// Days after today.
    case today(Int32)
  }

  private enum Form: Hashable, Sendable {
    case moment(Timestamp)
    case ago(Int64)
    /// Without a time of day: when the day begins.
    case clock(Day, TimeOfDay?)
  }

  /// As it was written.
  package let text: String
  private let form: Form

  /// Reads it; nil for other text.
  package init?(_ text: String) {
    guard let form = GivenTime.form(text) else { return nil }
    self.text = text
    self.form = form
  }

  /// The moment that is meant.
  ///
  /// - Parameters:
  ///   - now: the moment at which that is asked.
  ///   - zone: where the person is.
  package func moment(at now: Timestamp, in zone: some CivilZone) throws(Problem) -> Timestamp {
    switch form {
    case .moment(let moment): return moment
    case .ago(let microseconds):
      let (moment, overflows) = now.microseconds.subtractingReportingOverflow(microseconds)
      return Timestamp(microseconds: overflows ? .min : moment)
    case .clock(let day, let timeOfDay):
      let date =
        switch day {
        case .date(let date): date
        case .today(let days): zone.day(of: now) + days
        }
      let wall = Int64(date.number) * 86_400_000_000
      guard let timeOfDay else { return zone.beginning(of: wall) }
      let moments = zone.moments(of: wall + timeOfDay.microseconds)
      guard let moment = moments.first else { throw .skipped }
      guard moments.count == 1 else { throw .repeated }
      return moment
    }
  }

  private static func form(_ text: String) -> Form? {
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 2 else { return nil }
    if let day = day(first) {
      if words.count == 1 { return .clock(day, nil) }
      if let time = TimeOfDay(words[1]) { return .clock(day, time) }
      // RFC 3339 with a blank for its T, and with its zone.
      guard words[1].contains(where: { "Zz+-".contains($0) }) else { return nil }
      return TimeParser.parse(text).map { .moment($0) }
    }
    guard words.count == 1 else { return nil }
    if first == "now" { return .ago(0) }
    if let time = TimeOfDay(first) { return .clock(.today(0), time) }
    // RFC 3339 without a zone, which would be read as UTC below.
    let parts = first.split(separator: "T", omittingEmptySubsequences: false)
    if parts.count == 2, let day = LunaCore.Day(parts[0]), let time = TimeOfDay(parts[1]) {
      return .clock(.date(day), time)
    }
    if let moment = TimeParser.parse(String(first)) { return .moment(moment) }
    if let ago = ago(first) { return .ago(ago) }
    return nil
  }

  private static func day(_ word: Substring) -> Day? {
    switch word {
    case "today": .today(0)
    case "yesterday": .today(-1)
    default: LunaCore.Day(word).map { .date($0) }
    }
  }

  /// `24h`, `90m`, `30s`, `7d`: µs.
  private static func ago(_ word: Substring) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let last = word.last, let unit = units[last] else { return nil }
    let digits = word.dropLast()
    guard (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits)
    else { return nil }
    // Days of nine digits are more than there are µs for: longer ago than anything.
    let (microseconds, overflows) = (count * unit).multipliedReportingOverflow(by: 1_000_000)
    return overflows ? .max : microseconds
  }
}
