import CommandSpec
import LunaStore

/// `luna owner unseal`: keeps the keys without a passphrase again.
struct OwnerUnsealCommand: Sendable {
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "unseal", "Remove the passphrase from the keys.", initial: OwnerUnsealCommand(),
    groups: [
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna owner unseal", "The keys are then protected only by the file's mode")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, .table, general) { session in
      guard try await session.store.isSealed() else {
        session.diagnostics.note("luna: the keys are not sealed")
        return .notFound
      }
      try await session.store.unseal()
      session.diagnostics.note("luna: the keys are no longer sealed")
      return .done
    }
  }
}
