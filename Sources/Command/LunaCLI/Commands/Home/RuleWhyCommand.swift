import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaHome
import LunaJSON
import LunaStore

/// `luna rule why`: why a rule ran, or did not.
struct RuleWhyCommand: Sendable {
  var rule = ""
  var time: GivenTime?
  var count = 10
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "why", "Say why a rule ran, and why it did not.",
    discussion: [
      "The last times that something has started it: what that was, each condition with its result, and "
        + "what became of each action, or why it was held back. Works without a running home."
    ],
    initial: RuleWhyCommand(),
    arguments: [.required("RULE", "Its id", \.rule, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("at", "TIME", ZoneOptions.help("What was up to then"), \.time, .time),
          .value("count", "N", "How many", \.count, .integer(1...1000)).defaulting(to: "10"),
        ]),
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna rule why left-home", "Why did it, or why did it not?"),
      Example("luna rule why left-home --at 2026-05-01T08:00:00Z", "And then?"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard let store = try await HomeStore.reading(in: StateDirectory(path: try state.path()))
      else { throw CommandFailure.noHome(in: try state.path()) }
      let end = try zone.moment(time)?.microseconds ?? .max
      let (rule, count) = (rule, count)
      let found = try await store.explanations(of: rule, until: end, limit: count)
      guard !found.isEmpty else {
        throw CommandFailure(
          .notFound, "nothing has started the rule \(EscapedPath.text(rule))",
          hint: "luna rule list names all rules")
      }
      for explanation in found { append(explanation, to: output) }
      return .done
    }
  }

  private func append(_ explanation: HomeExplanation, to output: OutputBuffer) {
    if OutputFormat.chosen(self.output.format) == .jsonl {
      output.append(line: explanation.json.description)
      return
    }
    let times = zone.times
    for line in explanation.lines({ times.moment(Timestamp(microseconds: $0)) }) {
      output.append(line: line)
    }
  }
}
