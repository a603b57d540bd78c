import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments

/// `luna account add`: a new account, and the link with which its person makes a password.
struct AccountAddCommand: Sendable {
  var name = ""
  var role = AccountRole.viewer
  var invitation = InvitationOptions()
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "add", "Make an account, and a link with which its person makes a password.",
    discussion: ["The link is good once, for 72 hours. Only a digest of its secret is stored."],
    initial: AccountAddCommand(),
    arguments: [
      .required("NAME", "What the account is called", \.name, AccountCommand.nameReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("role", "ROLE", "What it may do", \.role, .role).defaulting(to: "viewer"),
          InvitationOptions.option.scoped(to: \.invitation),
        ]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna account add ada --role admin", "Who looks after all others")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      let now = session.storage.now
      let link = try AccountLink(.invitation, at: now)
      let accounts = AccountStore(session.storage, actor: AccountCommand.actor)
      if let refusal = try await accounts.add(name, role, link, at: now) {
        throw CommandFailure(refusal, name)
      }
      try await invitation.show(link, for: name, session, zone.noted) {
        _ = try await accounts.remove(name)
      }
      return .done
    }
  }
}
