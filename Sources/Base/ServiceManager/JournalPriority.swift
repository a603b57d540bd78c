/// How much a line matters, as syslog(3) numbers it.
public enum JournalPriority: Int, Sendable {
  /// Something does not work.
  case error = 3
  /// Something may soon not work, or does so again by itself.
  case warning = 4
  /// What is going on.
  case info = 6
  /// For who looks into the program.
  case debug = 7
}
