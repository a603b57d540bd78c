import EventLoop
public import Glibc

/// A program that has our standard input, output and error, as if the shell had started it.
public enum ForegroundProgram {
  /// Runs a program that is on PATH, or named by its path, to its end.
  ///
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - started: is told its number, once it runs.
  /// - Returns: what it exited with; 128 and the number of the signal that ended it.
  public static func run(
    _ words: [String], started: @escaping @Sendable (pid_t) -> Void
  ) async throws(ProgramRun.Failure) -> Int32 {
    try await Blocking.run { () throws(ProgramRun.Failure) in
      let process = try start(words)
      started(process)
      return ProgramRun.wait(for: process)
    }
  }

  private static func start(_ words: [String]) throws(ProgramRun.Failure) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // What we block and ignore is ours.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer {
      posix_spawnattr_destroy(&attributes)
      for argument in arguments { free(argument) }
    }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], nil, &attributes, &arguments, environ)
    guard failure == 0 else { throw ProgramRun.Failure(code: failure) }
    return process
  }
}
