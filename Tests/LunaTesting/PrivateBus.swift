import Glibc
import Synchronization

/// A dbus-daemon of this test's own.
///
/// Foundation's Process would wait for it on the few threads that the tests run on.
public final class PrivateBus: Sendable {
  /// Those that run; a test that keeps its bus must not leave it behind when the process ends.
  private static let running = Mutex<Set<pid_t>>([])
  private static let endsAll: Void = {
    atexit { PrivateBus.running.withLock { for process in $0 { kill(process, SIGKILL) } } }
  }()

  private let process: Mutex<pid_t>
  /// Where it is.
  public let address: String

  /// Nil when there is no dbus-daemon on this machine.
  public init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    // Whoever reads what the tests say waits until nobody can say more.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let failed = posix_spawnp(&process, words[0], &actions, nil, &arguments, nil)
    for argument in arguments { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    guard failed == 0 else { return nil }
    _ = PrivateBus.endsAll
    PrivateBus.running.withLock { _ = $0.insert(process) }
    self.process = Mutex(process)
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = max(0, read(ends[0], &bytes, bytes.count))
    address = String(decoding: bytes[..<count].prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Ends the bus under its clients.
  public func end() {
    let process = process.withLock { process in
      defer { process = 0 }
      return process
    }
    guard process > 0 else { return }
    // The threads of tests block signals, and so do the processes that they start.
    PrivateBus.running.withLock { _ = $0.remove(process) }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  deinit { end() }
}
