import CommandSpec
import LunaBackend

/// `luna backend migrate`: brings the storage to this version.
struct BackendMigrateCommand: Sendable {
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "migrate", "Create the storage, or upgrade it to this version.",
    discussion: [
      "A backend does this itself when it starts. If several share one database, run this "
        + "once beforehand."
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
      session.diagnostics.note("luna: \(session.storage.name) has this version")
      return .done
    }
  }
}
