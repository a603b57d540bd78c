/// How long the times are over which the rate of a replay is taken (UPLINK.md, 5.3).
public enum BucketWidth: Hashable, Sendable {
  /// So that there are as many as are wanted however fast the link is, but none shorter than the least round
  /// trip, s, or than 2 ms.
  case real(leastRoundTrip: Double)
  /// The original's: a part of the time that the replay is said to take, s. A fast link leaves few.
  case nominal(seconds: Double)

  /// The shortest that is measured, s.
  private static let least = 0.002

  /// The width, s, of so many in a replay that took so long, s.
  func seconds(duration: Double, buckets: Int) -> Double {
    switch self {
    case .real(let roundTrip):
      max(duration / Double(buckets), roundTrip, BucketWidth.least)
    // However little is said: a list has an end.
    case .nominal(let seconds):
      max(seconds / Double(buckets), duration / Double(Samples.limit))
    }
  }
}
