/// How a check ended.
public enum CheckState: String, CaseIterable, Hashable, Sendable {
  /// Nothing is in the way.
  case ok
  /// It works, and something may get in the way or be missed.
  case warning
  /// It does not work.
  case failed
  /// It could not be found out.
  case unknown
}
