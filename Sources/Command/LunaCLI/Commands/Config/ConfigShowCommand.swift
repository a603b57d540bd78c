import CommandSpec
import Glibc
import LunaDocuments
import LunaTables

/// `luna config show`: what holds, and who said so.
struct ConfigShowCommand: Sendable {
  var words: [String] = []
  var format: OutputFormat?
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what holds for options, and where it was said.",
    discussion: [
      "Without COMMAND, everything that files and the environment say, and what holds by itself for "
        + "the options that commands share. With it, all options of that command. Secrets in values, "
        + "such as passwords in URLs, are not shown."
    ],
    initial: ConfigShowCommand(),
    arguments: [.repeated("COMMAND", "A command, such as finder or owner list", \.words, .text)],
    groups: [
      OptionGroup("Output", [OutputFormat.option(\.format)]),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna config show", "Everything that is set"),
      Example("luna config show finder", "With what would luna finder run?"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let looks = await ConfigurationFiles.look(named: general.config)
      let lines = ConfigurationOverview(LunaCommand.tree, looks.compactMap(\.file)) { name in
        getenv(name).map { String(cString: $0) }
      }
      let found = words.isEmpty ? try lines.said() : try lines.all(of: words)
      ConfigurationOverview<LunaCommand.Action>.Line.listing.append(
        found.count, as: OutputFormat.chosen(format).ofList, to: output,
        line: { found[$0].append(to: $1) }, cells: { found[$0].cells })
      for failure in looks.compactMap(\.skipped) {
        general.diagnostics.note("luna: \(failure.reason); it is left out")
      }
      let mistakes = looks.reduce(0) {
        $0 + $1.problems.count + ($1.failure == nil || $1.skipped != nil ? 0 : 1)
      }
      try output.flush()
      guard mistakes == 0, lines.mistakes == 0 else {
        throw CommandFailure(
          .usage, "some of it makes no sense, and is left out", hint: "luna config check says what")
      }
      return .done
    }
  }
}
