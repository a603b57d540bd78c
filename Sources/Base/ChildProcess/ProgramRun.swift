import CLinux
import EventLoop
import FileOutput
import Glibc

/// A program that was run to its end.
public struct ProgramRun: Sendable {
  /// Why a program did not run.
  public struct Failure: Error {
    /// The error number of the system: ENOENT when there is no such program, ECANCELED when the task was
    /// cancelled before.
    public let code: Int32

    /// It in words.
    public var text: String { String(cString: strerror(code)) }
  }

  /// What it exited with; 128 and the number of the signal that ended it.
  public let status: Int32
  /// What it wrote on standard output, as far as that was wanted.
  public let output: [UInt8]
  /// Whether it was ended since it took too long, or since its task was cancelled.
  public let isCutOff: Bool

  /// How long a program may go on whose task was cancelled.
  static let grace = Duration.seconds(1)

  /// Runs a program that is on PATH, or named by its path. Its messages go to our standard error. One that has a
  /// limit of time is ended a second after its task was cancelled.
  ///
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - input: what it reads from standard input; nothing by default.
  ///   - limit: how many bytes of its output are kept; the rest is read and forgotten.
  ///   - time: after which it is ended, with all that it has started in its group; nil for never. What has left that, as
  ///     daemons do, goes on and is not waited for.
  public static func run(
    _ words: [String], input: [UInt8] = [], keeping limit: Int = 64 * 1024,
    within time: Duration? = nil
  ) async throws(Failure) -> ProgramRun {
    let deadline = time.map { ProgramDeadline(in: $0) }
    guard deadline == nil || !Task.isCancelled else { throw Failure(code: ECANCELED) }
    let result: Result<ProgramRun, Failure> = await withTaskCancellationHandler {
      do throws(Failure) {
        return .success(
          try await Blocking.run { () throws(Failure) in
            try runInPlace(words, input, limit, deadline)
          })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      // Whoever waits for nothing any more, such as a program that ends, leaves nothing running.
      deadline?.strike(in: grace)
    }
    return try result.get()
  }

  private static func runInPlace(
    _ words: [String], _ input: [UInt8], _ limit: Int, _ deadline: ProgramDeadline?
  ) throws(Failure) -> ProgramRun {
    let source = try file(with: input)
    defer { if let source { close(source) } }
    var ends: [Int32] = [-1, -1]
    // Another program that begins just now and had it as well would keep reading from its end.
    let code = luna_pipe(&ends)
    guard code == 0 else { throw Failure(code: -code) }
    defer { close(ends[0]) }
    let started = Result { () throws(Failure) in
      try start(words, input: source, output: ends[1], inOwnGroup: deadline != nil)
    }
    // The program has it now; as long as we had it too, reading would not end.
    close(ends[1])
    let process = try started.get()
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    deadline?.begin(process)
    while deadline?.waitForOutput(ends[0]) != false {
      let count = read(ends[0], &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk[..<min(count, limit - output.count)]
    }
    let isCutOff = deadline?.wait(for: process) ?? false
    return ProgramRun(status: wait(for: process), output: output, isCutOff: isCutOff)
  }

  /// Waits for the end of a program.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // WIFEXITED and WEXITSTATUS of wait(2) are macros.
    let isExited = status & 0x7F == 0
    return isExited ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// What is to be read, as a file in memory: unlike a pipe it takes all of it at once.
  private static func file(with input: [UInt8]) throws(Failure) -> Int32? {
    guard !input.isEmpty else { return nil }
    let file = luna_memory_file()
    guard file >= 0 else { throw Failure(code: -file) }
    let code = FileOutput.put(input, file)
    guard code == 0 else {
      close(file)
      throw Failure(code: code)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func start(
    _ words: [String], input: Int32?, output: Int32, inOwnGroup: Bool
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Our threads block the signals that we wait for, and we ignore others; the program shall not.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let group = inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    var arguments = words.map { strdup($0) } + [nil]
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for argument in arguments { free(argument) }
    }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard failure == 0 else { throw Failure(code: failure) }
    return process
  }
}
