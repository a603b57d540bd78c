import CommandSpec
import LunaBackend

/// `luna backend backup`: a copy of everything, while a backend runs.
struct BackendBackupCommand: Sendable {
  var path = ""
  var overwrites = false
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backup", "Copy everything into a file, also while a backend runs.",
    discussion: [
      "The copy is a complete storage: luna backend --store sqlite:FILE serves it. It has what was "
        + "there when the copying began. For PostgreSQL use pg_dump."
    ],
    initial: BackendBackupCommand(),
    arguments: [.required("FILE", "Where to write the copy", \.path, .file)],
    groups: [
      OptionGroup(
        "Options", [.flag("force", "Write over FILE if it is there already", \.overwrites)]),
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend backup /backup/luna-2026-11-21.sqlite", "A copy")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      try await session.storage.backup(to: path, replacing: overwrites)
      session.diagnostics.note("luna: \(path) is a copy of \(session.storage.name)")
      return .done
    }
  }
}
