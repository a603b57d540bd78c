import CLinux
import EventLoop
import Glibc
import Synchronization

/// A running `sh -c`, with all that it starts. Nobody waits for it. It has no open file of this process, and
/// no capability that this user has not by itself.
public final class ShellCommand: Sendable {
  private let process: pid_t
  private let isOver = Mutex(false)

  /// Starts a command. It reads nothing, and what it prints goes to standard error.
  ///
  /// - Parameters:
  ///   - text: what the shell is given.
  ///   - variables: are set for it, beside those of this process.
  ///   - hidden: variables of this process that it does not get.
  ///   - ended: is told when it has ended, from any thread.
  /// - Returns: nil when the system starts no process.
  public init?(
    _ text: String, variables: [(name: String, value: String)], hiding hidden: [String] = [],
    ended: @escaping @Sendable (ShellCommand) -> Void = { _ in }
  ) {
    let texts = variables.map { $0.name + "=" + $0.value } + hidden
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let entries = copies.compactMap(\.self).map { UnsafePointer<CChar>?($0) }
    let process = luna_spawn_shell(text, entries, Int32(entries.count))
    guard process > 0 else { return nil }
    self.process = process
    Blocking.start {
      self.wait()
      ended(self)
    }
  }

  /// Whether it has ended by itself, or was ended.
  public var hasEnded: Bool { isOver.withLock { $0 } }

  /// Ends it: asks first, then insists.
  public func end() {
    signal(SIGTERM)
    Task.detached {
      try? await Task.sleep(for: .seconds(1))
      self.signal(SIGKILL)
    }
  }

  /// Ends it at once.
  public func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    // Until it was waited for, its number is not given to another process.
    isOver.withLock { isOver in
      if !isOver { _ = Glibc.kill(-process, number) }
    }
  }

  private func wait() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    isOver.withLock { isOver in
      // What the shell left behind in its group ends with it.
      _ = Glibc.kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      isOver = true
    }
  }
}
