import EventLoop
import Glibc

/// Asks whether a tracker is to be onboarded although nobody can tell who it is.
enum OnboardingConsent {
  /// Whether the person at the terminal says yes.
  ///
  /// - Throws: a failure when there is no terminal to ask on.
  static func ask() async throws(CommandFailure) -> Bool {
    let risk =
      "without the code on its label, the exchange cannot be authenticated: somebody "
      + "nearby could impersonate the tracker"
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(
        .usage, risk,
        hint: "give --code-file FILE or --qr IMAGE; or --unauthenticated, and press its button")
    }
    var prompt = "luna: \(risk). Continue anyway? [y/N] "
    prompt.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    let answer = await Blocking.run { readLine()?.lowercased() ?? "" }
    return answer == "y" || answer == "yes"
  }
}
