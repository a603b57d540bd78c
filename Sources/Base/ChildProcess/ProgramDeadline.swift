import CLinux
import Dispatch
import Glibc
import Synchronization

/// Ends a program, and all that it has started, when it takes too long. It has a group of processes of
/// its own.
final class ProgramDeadline: Sendable {
  private struct State {
    /// The program, as long as its number is nobody else's.
    var process: pid_t?
    /// Whether the time was over before the program had begun.
    var isLate = false
    var isCutOff = false
  }

  private let time: Duration
  private let state = Mutex(State())
  /// Can be read once the program was ended here.
  private let mark = eventfd(0, Int32(EFD_CLOEXEC))

  init(in time: Duration) { self.time = time }

  deinit { if mark >= 0 { close(mark) } }

  /// The program has begun: from now on its time counts.
  func begin(_ process: pid_t) {
    let isLate = state.withLock { state in
      state.process = process
      return state.isLate
    }
    if isLate { strike() } else { strike(in: time) }
  }

  /// Ends it after this time, if it has not ended by then.
  func strike(in time: Duration) {
    let delay = DispatchTimeInterval.milliseconds(Int(time / .milliseconds(1)))
    // Nobody else holds on to it, and to its descriptor, when the program has ended before.
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in self?.strike() }
  }

  private func strike() {
    state.withLock { state in
      guard let process = state.process else {
        state.isLate = true
        return
      }
      state.isCutOff = true
      kill(-process, SIGKILL)
      eventfd_write(mark, 1)
    }
  }

  /// Waits until there is something to read from the program, or its output has ended.
  ///
  /// - Returns: false when it was ended here: what it has started in another group goes on, and may keep the output open,
  ///   or write, for ever.
  func waitForOutput(_ descriptor: Int32) -> Bool {
    // poll passes over a negative descriptor.
    var queries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mark, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&queries, 2, -1) < 0, errno == EINTR {}
    return queries[1].revents == 0
  }

  /// Waits until the program has ended, and leaves its status for others to take.
  ///
  /// - Returns: whether it was ended here.
  func wait(for process: pid_t) -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      state.process = nil
      return state.isCutOff
    }
  }
}
