/// What became of a replay.
public enum ReplayOutcome: Hashable, Sendable {
  /// It came to its end, and the server has the samples.
  ///
  /// - Parameter isTruncated: whether the limit in time ended the data.
  case finished(isTruncated: Bool)
  /// It did not.
  case failed(ReplayError)
}
