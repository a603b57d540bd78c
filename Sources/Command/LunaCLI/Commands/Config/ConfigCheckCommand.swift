import CommandSpec
import Diagnosis
import Glibc
import LunaClient
import LunaCore
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
      var (count, denied) = (0, 0)
      func tell(_ problems: [UsageError]) {
        count += problems.count
        for problem in problems {
          if isJSON { append(problem, to: output) }
          general.diagnostics.error(CommandFailure(problem))
        }
      }
      let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
      let looks = await ConfigurationFiles.look(named: general.config)
      let addresses = badAddresses(in: looks.compactMap(\.file), environment)
      for look in looks {
        var problems = look.problems + (look.file.map { check.problems(with: $0) } ?? [])
        problems += addresses.filter { file(of: $0) == look.path }
        problems.sort { line(of: $0) ?? 0 < line(of: $1) ?? 0 }
        tell(problems)
        if let failure = look.failure {
          count += 1
          if failure.code == .noPermission { denied += 1 }
          general.diagnostics.error(failure)
        }
        append(look, problems.count, isJSON, to: output)
      }
      tell(check.problems(withEnvironment: environment) + addresses.filter { file(of: $0) == nil })
      try output.flush()
      guard count == 0 else {
        throw CommandFailure(
          count == denied ? .noPermission : .usage,
          "\(count) mistake\(count == 1 ? "" : "s") in the configuration",
          hint: "each is told above")
      }
      return .done
    }
  }

  /// Addresses of servers that no command could use. Readers of values leave them alone: some commands begin with one
  /// all the same, and what may be depends on what else was said, in whatever file.
  private func badAddresses(
    in files: [ConfigurationFile], _ environment: (String) -> String?
  ) -> [UsageError] {
    var problems: [UsageError] = []
    for page in LunaCommand.tree.description.pages() where page.command.isRunnable {
      guard
        page.command.options.contains(where: { ["backend", "webhook"].contains($0.long) }),
        let settings = try? LunaCommand.tree.settings(
          of: Array(page.path.dropFirst()), files: files, environment: environment)
      else { continue }
      let allows = settings.contains {
        $0.option.long == "webhook-allow-plain-http" && $0.value == "yes"
      }
      for setting in settings {
        guard setting.origin != .usual, let value = setting.value,
          let problem = problem(with: setting, value, allows), !problems.contains(problem)
        else { continue }
        problems.append(problem)
      }
    }
    return problems
  }

  /// - Parameter allows: whether a webhook may be reached over plain http.
  private func problem(with setting: Setting, _ value: String, _ allows: Bool) -> UsageError? {
    do throws(BackendError) {
      switch setting.option.long {
      case "backend": _ = try BackendURL(value, allowsInsecure: true)
      case "webhook": _ = try WebhookURL(value, allowsInsecure: allows)
      default: break
      }
      return nil
    } catch {
      var (name, place) = (setting.option.long, UsageError.Place.command(["luna"]))
      switch setting.origin {
      case .usual: break
      case .file(let file, let line): place = .file(file, line: line)
      case .environment(let variable): name = variable
      }
      return UsageError(
        .badValue, place, "\(name): \(error.reason)",
        hint: error.remedy?.description ?? "see luna finder --help")
    }
  }

  private func file(of problem: UsageError) -> String? {
    if case .file(let name, _) = problem.place { name } else { nil }
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
