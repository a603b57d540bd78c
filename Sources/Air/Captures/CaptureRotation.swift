import Bluetooth

/// When a recording goes on in a new file, and how many of its files stay.
public struct CaptureRotation: Hashable, Sendable {
  /// What ends a file.
  public enum Limit: Hashable, Sendable {
    /// Each multiple of this, s, since 1970-01-01 in UTC.
    case seconds(Int64)
    /// A file does not become larger than this, unless for a single report.
    case bytes(Int64)
  }

  /// What ends a file.
  public let limit: Limit
  /// How many files stay, the one that is written included; nil for all. The oldest go.
  public let kept: Int?

  /// A rotation.
  ///
  /// - Parameters:
  ///   - limit: Above zero.
  ///   - kept: At least 1.
  public init(_ limit: Limit, keeping kept: Int? = nil) {
    self.limit = limit
    self.kept = kept
  }

  /// Whether what is heard at `time` belongs into another file than what was heard at `before`.
  func separates(_ before: Timestamp, _ time: Timestamp) -> Bool {
    start(of: before) != start(of: time)
  }

  /// When a file begins that goes on where another has ended, because of a report of this time.
  func beginning(_ time: Timestamp) -> Timestamp { start(of: time) ?? time }

  /// The last multiple before a time; nil where time does not matter.
  private func start(of time: Timestamp) -> Timestamp? {
    guard case .seconds(let seconds) = limit, seconds > 0 else { return nil }
    let second = time.microseconds / 1_000_000 - (time.microseconds % 1_000_000 < 0 ? 1 : 0)
    let rest = second % seconds
    return Timestamp(microseconds: (second - (rest < 0 ? rest + seconds : rest)) * 1_000_000)
  }
}
