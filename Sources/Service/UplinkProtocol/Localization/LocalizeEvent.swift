/// What happens to a localization by servers of Wehe's.
package enum LocalizeEvent: Hashable, Sendable {
  /// It begins.
  case begin
  /// A server answered with this, whatever its status.
  case answered([UInt8])
  /// It gave no answer.
  case unanswered
  /// Both sites give access, to servers with these addresses.
  case opened(first: String, second: String)
  /// One of them does not.
  case notOpened
  /// A replay has ended.
  case ended(ReplayOutcome)
  /// Both servers have said what they make of their replays, and so have we.
  case compared(first: FairnessVerdict, second: FairnessVerdict)
  /// A server does not say it.
  case notCompared(AnalysisError)
  /// The time that was waited for is over.
  case timeIsOver
}
