import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaJSON

/// `luna rule run`: has the home that runs do what a rule does.
struct RuleRunCommand: Sendable {
  var rule = ""
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "run", "Have a rule of the home that runs run now.",
    discussion: ["Whatever it waits for: conditions, limits and sleep are not looked at."],
    initial: RuleRunCommand(),
    arguments: [.required("RULE", "Its id", \.rule, .text)],
    groups: [
      StateOption.group.scoped(to: \.state),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna rule run left-home", "Try what it does")],
    exitStatuses: HomeCommand.runningStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      _ = try await HomeCalls(state: try state.path()).call("run", ["rule": .string(rule)])
      general.diagnostics.note("luna: \(EscapedPath.text(rule)) runs")
      return .done
    }
  }
}
