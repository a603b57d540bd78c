import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments

/// `luna account edit`: another role, or another link.
struct AccountEditCommand: Sendable {
  var name = ""
  var role: AccountRole?
  var isInvited = false
  var invitation = InvitationOptions()
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "edit", "Change the role of an account, or make another link for it.",
    discussion: [
      "Whoever gets another role has to sign in again. With another link a lost password is "
        + "replaced, and the second factor is turned off."
    ],
    initial: AccountEditCommand(),
    arguments: [
      .required("NAME", "What the account is called", \.name, AccountCommand.nameReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("role", "ROLE", "What it may do from now on", \.role, .role),
          .flag("invite", "Make another link, for who has lost the password", \.isInvited),
          InvitationOptions.option.scoped(to: \.invitation),
        ]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna account edit ada --role operator", "Another role"),
      Example("luna account edit ada --invite", "Another link"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.role != nil || options.isInvited else {
        throw ValueProblem("there is nothing to change: give --role or --invite")
      }
    })

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      let accounts = AccountStore(session.storage, actor: AccountCommand.actor)
      if let role {
        if let refusal = try await accounts.setRole(name, role) {
          throw CommandFailure(refusal, name)
        }
        session.diagnostics.note("luna: \(name) is \(role.rawValue)")
      }
      if isInvited {
        let link = try AccountLink(.invitation, at: session.storage.now)
        guard try await accounts.invite(name, link) else {
          throw CommandFailure(AccountRefusal.unknown, name)
        }
        try await invitation.show(link, for: name, session, zone.noted) {
          try await accounts.withdraw(link)
        }
      }
      return .done
    }
  }
}
