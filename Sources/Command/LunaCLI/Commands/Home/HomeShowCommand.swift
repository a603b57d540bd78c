import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaTables
import TerminalTable

/// `luna home show`: what holds for a home, and who said so.
struct HomeShowCommand: Sendable {
  var path: String?
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what holds for a home, and where it was said.",
    discussion: [
      "Each value with the line of the file that says it, and what holds by itself for the keys that "
        + "are left out. A value is JSON; a secret is never shown."
    ],
    initial: HomeShowCommand(),
    arguments: [.optional("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home show", "Everything that holds")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      guard report.file.isUsable else {
        for problem in report.file.problems where problem.level == .error {
          general.diagnostics.warning("luna: \(problem.description(file: report.path))")
        }
        try report.requireUsable()
        return .unreadableInput
      }
      let settings = report.file.settings
      if report.format == .jsonl {
        for setting in settings { append(setting, report.path, to: output) }
      } else {
        ColumnTable.append(
          [
            .init(title: "PATH", minimum: 12), .init(title: "VALUE", minimum: 12),
            .init(title: "FROM", minimum: 12),
          ],
          settings.map { setting in
            [setting.path, setting.value, setting.line.map { "\(report.path):\($0)" } ?? "default"]
          }, to: output)
      }
      return .done
    }
  }

  private func append(_ setting: HomeSetting, _ file: String, to output: OutputBuffer) {
    output.appendLine("setting") { writer in
      writer.string("path", setting.path)
      writer.string("value", setting.value)
      if let line = setting.line {
        writer.string("origin", "file" as StaticString)
        writer.string("file", file)
        writer.integer("line", Int64(line))
      } else {
        writer.string("origin", "default" as StaticString)
      }
    }
  }
}
