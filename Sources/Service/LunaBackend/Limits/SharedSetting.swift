/// What all processes on one database have in common (SCALE.md, 3.3): of each of them another one would take what
/// these refuse, or drop what these keep.
public enum SharedSetting: String, CaseIterable, Sendable {
  /// How many days events are kept.
  case retention
  /// Events of one identifier in an hour.
  case eventsPerIdentifier = "events-per-identifier"
  /// Events of a gateway in a second.
  case eventsPerSecond = "events-per-second"
  /// Other requests of a holder in a second.
  case requestsPerSecond = "requests-per-second"
  /// Open commands of an owner.
  case openCommands = "open-commands"

  /// What it may be.
  public var range: ClosedRange<Int> {
    switch self {
    case .retention: 1...36_600
    case .eventsPerIdentifier: 0...65_000
    case .eventsPerSecond, .requestsPerSecond: 0...1_000_000
    case .openCommands: 1...1_000_000
    }
  }

  /// Its name among all settings, which `/v1/settings` does not know.
  var row: String { "backend.\(rawValue)" }
}
