import CommandSpec
import LunaBackend

/// `luna backend backup`: a copy of everything, while a backend runs.
struct BackendBackupCommand: Sendable {
  var path = ""
  var overwrites = false
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backup", "Copy everything to a file, even while a backend runs.",
    discussion: [
      "The copy is a complete storage, which luna backend --store sqlite:FILE can serve. "
        + "It holds what was there when copying began. For PostgreSQL, use pg_dump."
    ],
    initial: BackendBackupCommand(),
    arguments: [.required("FILE", "Where to write the copy", \.path, .file)],
    groups: [
      OptionGroup(
        "Options", [.flag("force", "Overwrite FILE if it exists", \.overwrites)]),
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
