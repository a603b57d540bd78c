/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since the Unix epoch; negative before it.
  public let microseconds: Int64

  /// A moment from microseconds since the Unix epoch.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Stands for a moment that is not known: a capture file may hold packets without a time. It
  /// orders before all others.
  public static let unknown = Timestamp(microseconds: .min)

  /// The moments that a report can have been heard at: from 1900, since the clock of a phone may start
  /// before 1970, to the end of the u32 seconds of Unix time, 2106-02-07. So the difference of two is
  /// always a number that fits.
  public static let plausible =
    Timestamp(
      microseconds: -2_208_988_800_000_000)..<Timestamp(
      microseconds: 4_294_967_296_000_000)

  /// This moment where it is ``plausible``, else ``unknown``.
  @inlinable
  public var ifPlausible: Timestamp {
    microseconds >= -2_208_988_800_000_000 && microseconds < 4_294_967_296_000_000
      ? self : .unknown
  }

  /// The moment some time later; the last or the first one there is, if that is nearer.
  package func advanced(by duration: Duration) -> Timestamp {
    let whole = duration.wholeMicroseconds
    let (sum, overflows) = microseconds.addingReportingOverflow(whole)
    return Timestamp(microseconds: overflows ? (whole < 0 ? .min : .max) : sum)
  }

  /// Orders moments by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}
