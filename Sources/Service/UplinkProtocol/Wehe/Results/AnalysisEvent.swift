/// What happens where a server is asked for its result.
public enum AnalysisEvent: Hashable, Sendable {
  /// It begins.
  case begin
  /// The time that was waited for is over.
  case timeIsOver
  /// The server answered with this, whatever its status.
  case answered([UInt8])
  /// It gave no answer of HTTP within ``AnalysisSession/answerLimit``, or cannot be reached.
  case unanswered
}
