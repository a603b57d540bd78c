import CommandSpec
import LunaBackend
import LunaCore

/// `luna backend token revoke`: takes a token away from whoever has it.
struct BackendTokenRevokeCommand: Sendable {
  var id = ""
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "revoke", "Revoke a token at once.", initial: BackendTokenRevokeCommand(),
    arguments: [
      .required("ID", "The id of the token, as luna backend token list shows it", \.id, .text)
    ],
    groups: [
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend token revoke 4f1c20aa91b3", "This one")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      guard
        try await BackendTokenCommand.tokens(session).revoke(token: id, at: session.storage.now)
      else {
        throw CommandFailure(
          .notFound, "there is no valid token with the id \(id)",
          hint: "luna backend token list shows them")
      }
      session.diagnostics.note("luna: the token \(id) is revoked")
      return .done
    }
  }
}
