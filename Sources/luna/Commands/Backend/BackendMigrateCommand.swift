import CommandSpec
import LunaBackend

/// `luna backend migrate`: brings the storage to this version.
struct BackendMigrateCommand: Sendable {
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "migrate", "Bring the storage to this version, or make it.",
    discussion: [
      "A backend does so itself when it starts. With several of them on one database, do it once "
        + "before."
    ],
    initial: BackendMigrateCommand(),
    groups: [
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna backend migrate --store sqlite:/var/lib/luna/backend.sqlite", "A file")
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      session.diagnostics.note("luna: \(session.storage.name) is of this version")
      return .done
    }
  }
}
