import UplinkProtocol

/// How the samples of a replay are made.
struct Sampling {
  /// How many the server wants.
  let buckets: Int
  /// How long the replay is said to take, s, where the buckets are the original's.
  let nominalSeconds: Double?
  /// The least round trip of the side channel, s; nil where it is not known.
  let roundTrip: Double?

  /// - Parameter leastRoundTrip: that of the data, s; nil where it is not known.
  func samples(of reads: ReplayReads, leastRoundTrip: Double?) -> ReplaySamples? {
    reads.samples(
      buckets,
      nominalSeconds.map { .nominal(seconds: $0) } ?? .real(leastRoundTrip: leastRoundTrip ?? 0))
  }
}
