import CommandSpec
import Glibc
import LunaDocuments
import LunaHome

/// `luna home migrate`: a home's file in today's form.
struct HomeMigrateCommand: Sendable {
  var path: String?
  var general = GeneralOptions()

  static let command = Command(
    "migrate", "Rewrite the file of a home in today's form.",
    discussion: [
      "What has another name or form today is replaced; comments and every other byte stay. The file "
        + "as it was is kept beside it, with .bak after its name, or .bak-2 where there is one. A file of today's form "
        + "is left alone."
    ],
    initial: HomeMigrateCommand(),
    arguments: [.optional("FILE", "The file", \.path, .file)],
    groups: [GeneralOptions.group.scoped(to: \.general)],
    examples: [Example("luna home migrate", "Your own file")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard path != "-" else {
        throw CommandFailure(
          .usage, "a file is rewritten, and standard input is none", hint: "name the file")
      }
      let report = try await HomeReport(path, .table, output, general.diagnostics)
      let name = EscapedPath.text(report.path)
      guard report.file.isUsable else {
        report.tellProblems()
        try output.flush()
        try report.requireUsable()
        return .unreadableInput
      }
      guard report.file.isOlder else {
        general.diagnostics.note("luna: \(name) is of today's form already")
        return .done
      }
      let backup = HomeMigrateCommand.backup(of: report.path)
      let isPrivate = HomeFilePlace.isPrivate(report.path)
      let parts = [
        (report.file.bytes, backup, !HomeFilePlace.isForAll(report.path)),
        (report.file.migrated, report.path, isPrivate),
      ]
      for (bytes, path, isSecret) in parts {
        let replaces = path == report.path
        if isSecret {
          try OutputFile.writeSecret(bytes, to: path, replacing: replaces)
        } else {
          try OutputFile.write(bytes, to: path, replacing: replaces)
        }
      }
      general.diagnostics.note(
        "luna: rewrote \(name); as it was it is in \(EscapedPath.text(backup))")
      return .done
    }
  }

  /// A name of ours: where it is taken, a free one like it.
  private static func backup(of path: String) -> String {
    let first = path + ".bak"
    let others = (2...999).lazy.map { "\(first)-\($0)" }
    return access(first, F_OK) != 0 ? first : others.first { access($0, F_OK) != 0 } ?? first
  }
}
