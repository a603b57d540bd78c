import CommandSpec
import Glibc
import LunaDocuments

/// `luna config check`: all mistakes of all files at once.
struct ConfigCheckCommand: Sendable {
  var format: OutputFormat?
  var general = GeneralOptions()

  static let command = Command(
    "check", "Find all mistakes in configuration files and in the environment.",
    discussion: [
      "Names each file that was looked for and what came of it, and each mistake with its line and "
        + "what to write instead. Exits with 2 when there is one."
    ],
    initial: ConfigCheckCommand(),
    groups: [
      OptionGroup("Output", [OutputFormat.option(\.format, of: [.table, .jsonl])]),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna config check", "Before a service is told to read it again"),
      Example("luna config check --config new.conf", "A file that is not in its place yet"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let isJSON = OutputFormat.chosen(format) == .jsonl
    return await CommandRun(output, general.diagnostics).run {
      let check = ConfigurationCheck(LunaCommand.tree)
      var count = 0
      func tell(_ problems: [UsageError]) {
        count += problems.count
        for problem in problems {
          if isJSON { append(problem, to: output) }
          general.diagnostics.error(CommandFailure(problem))
        }
      }
      for look in await ConfigurationFiles.look(named: general.config) {
        var problems = look.problems + (look.file.map { check.problems(with: $0) } ?? [])
        problems.sort { line(of: $0) ?? 0 < line(of: $1) ?? 0 }
        tell(problems)
        if let failure = look.failure {
          guard failure.code != .noPermission else { throw failure }
          count += 1
          general.diagnostics.error(failure)
        }
        append(look, problems.count, isJSON, to: output)
      }
      tell(check.problems(withEnvironment: { getenv($0).map { String(cString: $0) } }))
      try output.flush()
      guard count == 0 else {
        throw CommandFailure(
          .usage, "\(count) mistake\(count == 1 ? "" : "s") in the configuration",
          hint: "each is told above")
      }
      return .done
    }
  }

  private func line(of problem: UsageError) -> Int? {
    if case .file(_, let line) = problem.place { line } else { nil }
  }

  private func append(_ problem: UsageError, to output: OutputBuffer) {
    output.appendLine("problem") { writer in
      if case .file(let name, let line) = problem.place {
        writer.string("file", name)
        writer.integer("line", Int64(line))
      }
      writer.string("reason", problem.reason)
      writer.string("hint", problem.hint)
    }
  }

  private func append(
    _ look: ConfigurationFiles.Look, _ mistakes: Int, _ isJSON: Bool, to output: OutputBuffer
  ) {
    let state = look.failure != nil ? "unreadable" : look.file == nil ? "absent" : "read"
    let settings = look.file?.count ?? 0
    guard isJSON else {
      let text =
        state == "read"
        ? "\(settings) setting\(settings == 1 ? "" : "s"), \(mistakes) "
          + "mistake\(mistakes == 1 ? "" : "s")"
        : state == "absent" ? "not there" : "cannot be read"
      return output.append(line: "\(look.path): \(text)")
    }
    output.appendLine("file") { writer in
      writer.string("file", look.path)
      writer.string("state", state)
      writer.integer("settings", Int64(settings))
      writer.integer("mistakes", Int64(mistakes))
    }
  }
}
