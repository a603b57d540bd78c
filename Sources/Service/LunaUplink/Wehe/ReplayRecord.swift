public import UplinkProtocol

/// A replay that was made, or tried.
public struct ReplayRecord: Sendable {
  /// What became of it.
  public let outcome: ReplayOutcome
  /// All that came, read by read.
  public var reads = ReplayReads()
  /// What the server was sent of it; nil where there was nothing to send.
  public var samples: ReplaySamples?
  /// How long the data took, s.
  public var seconds = 0.0
  /// The least round trip, s; nil where none is known.
  public var leastRoundTrip: Double?
  /// One's own address as the server sees it; nil where it does not tell.
  public var ownAddress: String?

  init(_ outcome: ReplayOutcome) { self.outcome = outcome }
}
