import CommandSpec
import Diagnosis
import EventLoop
import Glibc
import TerminalTable

/// Asks a person, a question after the other; or takes what holds by itself where nobody is asked.
struct Questions: Sendable {
  private let isAsking: Bool
  private let command: String

  /// - Parameter isAsking: whether there is to be somebody at a terminal.
  init(isAsking: Bool, for command: String) {
    self.isAsking = isAsking
    self.command = command
  }

  /// What was given already, or is answered now.
  ///
  /// - Parameters:
  ///   - usual: what holds when the answer is empty; nil when there has to be one.
  ///   - option: what gives it without a question.
  ///   - read: reads an answer, and throws what is wrong with it.
  func answer<Value>(
    _ given: String?, _ question: String, usual: String?, option: String,
    _ read: (String) throws -> Value
  ) async throws -> String {
    if let given {
      _ = try read(given)
      return given
    }
    guard isAsking else {
      if let usual { return usual }
      throw CommandFailure(
        .usage, "\(command) needs --\(option) where it does not ask", hint: "add --\(option)")
    }
    try Confirmation.checkTerminal(for: command)
    while true {
      write(question + (usual.map { " [\($0)]" } ?? "") + ": ")
      guard let line = await Blocking.run({ readLine() }) else {
        throw CommandFailure(.notFound, "there was no answer; nothing was changed")
      }
      let text = line.filter { !$0.isNewline }
      let answer = text.allSatisfy(\.isWhitespace) ? usual : text
      guard let answer else { continue }
      do {
        _ = try read(answer)
        return answer
      } catch let problem as ValueProblem {
        write("'\(answer)' \(problem.reason)\n")
      } catch let error as any Diagnosed {
        write("\(error.reason)\n")
      }
    }
  }

  private func write(_ text: String) {
    let line = MessageLines.folded(DisplayText.clean(text.filter { !$0.isNewline }))
    var text = line + (text.hasSuffix("\n") ? "\n" : "")
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
