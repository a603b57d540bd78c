/// What is to be done for a localization by servers of Wehe's.
package enum LocalizeAction: Hashable, Sendable {
  /// Ask who knows pairs of servers: get ``AnalysisSession/path`` with a query.
  case ask(query: String)
  /// Open the access to two sites.
  case open(ServerPair)
  /// Make a replay with each server at once.
  case replay(ServerPair, isControl: Bool)
  /// Compare the replays, and ask both servers for their results.
  case compare
  /// Send a form to the first server.
  case post(form: String)
  /// Get a query from the first server.
  case get(query: String)
  /// Wait so many seconds; then time is over.
  case wait(Int)
  /// It has ended.
  case located(LocalizeAnswer)
  /// It came to no end.
  case failed(LocalizationError)
  /// A replay came to no end, for a reason that is its own.
  case broken(ReplayError)
}
