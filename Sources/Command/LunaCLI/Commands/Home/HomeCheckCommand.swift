import CommandSpec
import Glibc
import LunaDocuments
import LunaHome

/// `luna home check`: everything that is wrong in a home's file.
struct HomeCheckCommand: Sendable {
  var path: String?
  var fixes = false
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "check", "Find all mistakes in the file of a home.",
    discussion: [
      "Names each with its line, its column and what to write instead, a hundred at most. Exits with 8 "
        + "when the file cannot be used; with 0 when there are warnings only.",
      "With --fix, missing commas are inserted first; no other byte of the file is changed.",
    ],
    initial: HomeCheckCommand(),
    arguments: [.optional("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OptionGroup("Options", [.flag("fix", "Insert missing commas into FILE", \.fixes)]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home check", "Your own file"),
      Example("luna home check --fix new.json", "Another one, with its commas put right"),
      Example("luna home check new.json --format jsonl", "For an editor"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard !fixes || path != "-" else {
        throw CommandFailure(
          .usage, "--fix changes a file, and standard input is none", hint: "name the file")
      }
      var report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      let count = report.file.missingCommas
      if fixes, count > 0 {
        let bytes = report.file.withCommas
        if HomeFilePlace.isPrivate(report.path) {
          try OutputFile.writeSecret(bytes, to: report.path, replacing: true)
        } else {
          try OutputFile.write(bytes, to: report.path, replacing: true)
        }
        general.diagnostics.note(
          "luna: inserted \(count) comma\(count == 1 ? "" : "s") into "
            + EscapedPath.text(report.path))
        report = HomeReport(report.path, bytes, report.format, output, general.diagnostics)
      }
      report.tellProblems()
      try output.flush()
      try report.requireUsable()
      if report.file.problems.isEmpty {
        general.diagnostics.note("luna: there is nothing wrong in \(EscapedPath.text(report.path))")
      }
      return .done
    }
  }
}
