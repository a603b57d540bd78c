import CommandSpec
import LunaBackend

/// `luna backend backup`: a copy of everything, while a backend runs.
struct BackendBackupCommand: Sendable {
  var path = ""
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backup", "Copy everything into a file, also while a backend runs.",
    discussion: [
      "The copy is a complete storage: luna backend --store sqlite:FILE serves it. It has what was "
        + "there when the copying began. For PostgreSQL use pg_dump."
    ],
    initial: BackendBackupCommand(),
    arguments: [.required("FILE", "A file that does not exist yet", \.path, .file)],
    groups: [
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend backup /backup/luna-2026-11-21.sqlite", "A copy")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      try await session.storage.backup(to: path)
      session.diagnostics.note("luna: \(path) is a copy of \(session.storage.name)")
      return .done
    }
  }
}
