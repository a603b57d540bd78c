/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since the Unix epoch; negative before it.
  public let microseconds: Int64

  /// A moment from microseconds since the Unix epoch.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Stands for a moment that is not known: a capture file may hold packets without a time. It
  /// orders before all others.
  public static let unknown = Timestamp(microseconds: .min)

  /// Orders moments by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}
