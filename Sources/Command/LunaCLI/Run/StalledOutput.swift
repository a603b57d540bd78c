import EventLoop
import FileOutput
import Glibc
import ServiceManager
import Synchronization

/// Ends a program that is to end, and cannot since the reader of what it writes stands still.
///
/// What was not read is lost then, as it is when somebody kills the program; files are whole.
enum StalledOutput {
  /// For how long nothing is read once the end was asked for.
  private static let patience = Duration.seconds(5)
  private static let thread = Blocking(name: "luna.end")
  private static let isOver = Atomic(false)

  /// The end was asked for: calls `end` when that does not come for the reader's sake. A manager of services
  /// has its own patience, and a journal its reasons.
  static func watch(_ end: @escaping @Sendable () -> Void) {
    guard !ServiceManager.current.isThere, !JournalStream.output.isJournal else { return }
    isOver.store(false, ordering: .relaxed)
    look(end)
  }

  /// The time is over: ends the program when nobody reads what it writes, and says so.
  static func watchTheEnd(_ diagnostics: Diagnostics) {
    watch {
      let failure = CommandFailure(
        .lost, "the time is over, and nobody reads standard output: what waited is lost")
      // Nobody may read that either.
      var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      if poll(&errors, 1, 0) == 1 { diagnostics.error(failure) }
      Main.end(failure.code.rawValue)
    }
  }

  /// What is told from here on a person may read as slowly as they like, as in a pager.
  static func stopWatching() { isOver.store(true, ordering: .relaxed) }

  private static func look(_ end: @escaping @Sendable () -> Void) {
    let place = OutputProgress.ofThisProcess.place
    thread.start(after: patience) {
      guard !isOver.load(ordering: .relaxed) else { return }
      guard place != nil, OutputProgress.ofThisProcess.place == place else { return look(end) }
      end()
    }
  }
}
