import EventLoop
import Glibc
import TerminalTable

/// Asks before something that cannot be undone.
enum Confirmation {
  /// Goes on when the person at the terminal says yes.
  ///
  /// - Parameters:
  ///   - question: What is to be done, as a question.
  ///   - command: The command that asks, for who cannot be asked.
  static func ask(_ question: String, for command: String) async throws(CommandFailure) {
    try checkTerminal(for: command)
    var prompt = MessageLines.folded(DisplayText.clean(question) + " [y/N] ")
    prompt.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    guard let answer = await Blocking.run({ readLine() }),
      ["y", "yes"].contains(answer.lowercased())
    else {
      throw CommandFailure(.notFound, "nothing was changed")
    }
  }

  /// Whether there may be somebody to ask.
  static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Refuses where there is nobody to ask.
  static func checkTerminal(for command: String) throws(CommandFailure) {
    guard hasTerminal else {
      throw CommandFailure(
        .usage, "\(command) asks first, and there is no terminal to ask on", hint: "give --yes")
    }
  }
}
