public import Foundation
import Glibc
import Synchronization

/// A program that a test starts.
///
/// Foundation's Process is not used: it waits on the few threads that the tests run on, and where more
/// than a thousand files are open its search for the last one reads beyond its memory.
public final class TestProgram: Sendable {
  /// Where a stream of the program goes.
  public enum Outlet {
    case nowhere
    /// A file that is there or is made; it is not cut.
    case file(String)
    /// The end of a pipe, for the test to read.
    case pipe
  }

  /// How a program ended, and what it said.
  public struct Result: Sendable {
    /// What it exited with; minus the number of the signal that ended it.
    public let status: Int32
    /// What it wrote on standard output.
    public let output: String
    /// What it wrote on standard error.
    public let errors: String
  }

  /// posix_spawn_file_actions_addclosefrom_np of glibc, which its module does not show.
  private static let closeFrom = unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
    to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)?.self)

  /// The number of its process.
  public let number: pid_t
  /// What it writes, where that is a pipe.
  public let output: FileHandle?
  /// Its messages, where they go to a pipe.
  public let errors: FileHandle?
  /// As waitpid(2) gives it.
  private let status = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: its path, or its name on PATH, and its arguments.
  ///   - environment: all of its variables; those of the tests by default.
  ///   - directory: where it works.
  ///   - input: the file that it reads.
  public init(
    _ words: [String], environment: [String: String]? = nil, directory: String? = nil,
    input: String = "/dev/null", output: Outlet = .nowhere, errors: Outlet = .nowhere
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    let pipes = [(output, Int32(1)), (errors, Int32(2))].map { outlet, stream -> Pipe? in
      switch outlet {
      case .nowhere: posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
      case .file(let path):
        posix_spawn_file_actions_addopen(&actions, stream, path, O_WRONLY | O_CREAT, 0o600)
      case .pipe:
        let pipe = Pipe()
        // Another program of the tests that had it would keep it open.
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
          _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        posix_spawn_file_actions_adddup2(
          &actions, pipe.fileHandleForWriting.fileDescriptor, stream)
        return pipe
      }
      return nil
    }
    TestProgram.closeOthers(&actions)
    // The threads of tests block signals, which a program inherits.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let moves = directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    let words = moves + words
    var arguments = words.map { strdup($0) } + [nil]
    let variables = environment ?? ProcessInfo.processInfo.environment
    var texts = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + texts { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &texts)
    for pipe in pipes { try pipe?.fileHandleForWriting.close() }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
    number = process
    (self.output, self.errors) = (pipes[0]?.fileHandleForReading, pipes[1]?.fileHandleForReading)
  }

  deinit { end() }

  /// Has a program begin without the files that the tests have open, but for its first three. What another test has just
  /// written could not be run while a program has it open for writing, nor would a pipe end.
  ///
  /// - Parameter actions: those of posix_spawn(3), a `posix_spawn_file_actions_t`.
  public static func closeOthers(_ actions: UnsafeMutableRawPointer) {
    _ = closeFrom?(actions.assumingMemoryBound(to: posix_spawn_file_actions_t.self), 3)
  }

  /// Sends it a signal.
  public func signal(_ signal: Int32) { kill(number, signal) }

  /// Whether it has ended and left a core file.
  public var leftCore: Bool { status.withLock { ($0 ?? 0) & 0x80 != 0 } }

  /// Ends it without a word, where it still runs.
  public func end() {
    status.withLock { status in
      guard status == nil else { return }
      kill(number, SIGKILL)
      status = TestProgram.wait(for: number)
    }
  }

  /// Waits for its end, in the way of other tests: for what takes a moment.
  @discardableResult
  public func wait() -> Int32 {
    let ended = status.withLock { status in
      let ended = status ?? TestProgram.wait(for: number)
      status = ended
      return ended
    }
    return ended & 0x7F == 0 ? ended >> 8 & 0xFF : -(ended & 0x7F)
  }

  /// Waits for its end on a thread of its own: the tests have few. It ends with the task that waits, as when a test
  /// has no time left.
  @discardableResult
  public func ended() async -> Int32 {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: self.wait()) }
      }
    } onCancel: {
      signal(SIGKILL)
    }
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Runs a program to its end, in the way of other tests: for what takes a moment.
  public static func run(
    _ words: [String], environment: [String: String]? = nil, directory: String? = nil
  ) throws -> Result {
    // Files, so that no pipe can fill up.
    let files = ["output", "errors"].map { NSTemporaryDirectory() + "luna-\($0)-\(UUID())" }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
    let program = try TestProgram(
      words, environment: environment, directory: directory, output: .file(files[0]),
      errors: .file(files[1]))
    let status = program.wait()
    return Result(
      status: status, output: try String(contentsOfFile: files[0], encoding: .utf8),
      errors: try String(contentsOfFile: files[1], encoding: .utf8))
  }
}
