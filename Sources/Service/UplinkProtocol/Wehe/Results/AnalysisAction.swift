/// What is to be done to have the result of a server.
public enum AnalysisAction: Hashable, Sendable {
  /// Wait so many seconds; then time is over.
  case wait(Int)
  /// Send a form to ``AnalysisSession/path``.
  case post(form: String)
  /// Get ``AnalysisSession/path`` with a query.
  case get(query: String)
  /// It has ended.
  case finish(AnalysisOutcome)
}
