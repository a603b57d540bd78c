import Glibc
import LunaTracker
import TrackerMachine

/// Reads what somebody does to trackers from standard input, line by line.
enum TrackerInputReader {
  /// Whether lines can be read: a job in the background that reads from its terminal would be
  /// stopped.
  static var isPossible: Bool {
    isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// Hands on what lines say, until the input ends, beside everything else.
  ///
  /// - Parameters:
  ///   - names: the trackers that there are.
  ///   - send: gets what happens to which tracker.
  static func start(
    names: [String], _ diagnostics: Diagnostics,
    send: @escaping @Sendable (TrackerMachine.Event, String) async -> Void
  ) {
    TrackerInput.take(
      { readLine() }, names: names,
      mistaken: { diagnostics.note("luna: \"\($0)\" is not a tracker command") }, send: send)
  }
}
