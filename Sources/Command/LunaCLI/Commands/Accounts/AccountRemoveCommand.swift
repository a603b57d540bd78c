import CommandSpec
import LunaBackend
import LunaCore

/// `luna account remove`: nobody signs in by that name any more.
struct AccountRemoveCommand: Sendable {
  var name = ""
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "remove", "Remove an account, with all that it is signed in with.",
    initial: AccountRemoveCommand(),
    arguments: [
      .required("NAME", "What the account is called", \.name, AccountCommand.nameReader)
    ],
    groups: [
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna account remove ada", "This one")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      if let refusal = try await AccountStore(session.storage, actor: AccountCommand.actor).remove(
        name)
      {
        throw CommandFailure(refusal, name)
      }
      session.diagnostics.note("luna: the account \(name) is gone")
      return .done
    }
  }
}
