/// What became of the question for a server's result.
public enum AnalysisOutcome: Hashable, Sendable {
  /// The server's result, which it gives only once.
  case result(ServerResult)
  /// There is none; one's own verdict stands.
  case failed(AnalysisError)
}
