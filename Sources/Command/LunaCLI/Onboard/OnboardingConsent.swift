import EventLoop
import Glibc

/// Asks whether a tracker is to be onboarded although nobody can tell who it is.
enum OnboardingConsent {
  /// Whether the person at the terminal says yes.
  ///
  /// - Parameter end: when nobody waits for an answer any more; nil for never.
  /// - Throws: a failure when there is no terminal to ask on, or no answer by the end.
  static func ask(until end: ContinuousClock.Instant?) async throws(CommandFailure) -> Bool {
    let risk =
      "without the code on its label, the exchange cannot be authenticated: somebody "
      + "nearby could impersonate the tracker"
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(.usage, risk, hint: hint)
    }
    put(MessageLines.folded("luna: \(risk). Continue anyway? [y/N] "))
    if let end, await !Blocking.run({ isAnswered(before: end) }) {
      put("\n")
      throw CommandFailure(
        .notFound, "nobody has answered by the end of -T; nothing was changed", hint: hint)
    }
    let answer = await Blocking.run { readLine()?.lowercased() ?? "" }
    return answer == "y" || answer == "yes"
  }

  private static let hint =
    "give --code-file FILE or --qr IMAGE; or --unauthenticated, and press its button"

  /// Whether there is a line to be read, or nobody left to write one. What is typed and not entered at the end is
  /// thrown away: it was not meant for the shell.
  private static func isAnswered(before end: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else {
        tcflush(STDIN_FILENO, TCIFLUSH)
        return false
      }
      var query = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&query, 1, Int32(min(left / .milliseconds(1), 1e6)) + 1) > 0 { return true }
    }
  }

  private static func put(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
