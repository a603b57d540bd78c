/// Why a position is not used. The raw values are the words of logs and counters.
public enum LocationRefusal: String, CaseIterable, Sendable {
  /// The receiver has no fix (gpsd: mode below 2).
  case noFix
  /// It was measured more than 30 s ago.
  case stale
  /// It has no date, or one that cannot be: before Luna, or ahead of the clock.
  case impossibleDate
  /// Coordinates that are missing, or out of range.
  case impossiblePosition
}
