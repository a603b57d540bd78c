import Dispatch
import Glibc
import Synchronization

/// Ends a program, and all that it has started, when it takes too long. It has a group of processes of
/// its own.
final class ProgramDeadline: Sendable {
  private struct State {
    var isOver = false
    var isCutOff = false
  }

  private let process: pid_t
  private let state = Mutex(State())

  init(of process: pid_t, in time: Duration) {
    self.process = process
    let delay = DispatchTimeInterval.milliseconds(Int(time / .milliseconds(1)))
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.strike() }
  }

  private func strike() {
    state.withLock { state in
      // Its number may be somebody else's by now.
      guard !state.isOver else { return }
      state.isCutOff = true
      kill(-process, SIGKILL)
    }
  }

  /// Waits until the program has ended, and leaves its status for others to take.
  ///
  /// - Returns: whether it was ended here.
  func wait() -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      state.isOver = true
      return state.isCutOff
    }
  }
}
