import CommandSpec
import LunaBackend
import LunaCore

/// `luna account link`: has somebody whom an issuer knows be an account.
struct AccountLinkCommand: Sendable {
  var name = ""
  var issuer = ""
  var subject = ""
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "link", "Have who signs in at an issuer be this account.",
    discussion: [
      "A person is known by issuer and subject alone, never by a name or an e-mail address. The "
        + "issuer has to be one that the backend is configured for."
    ],
    initial: AccountLinkCommand(),
    arguments: [
      .required("NAME", "What the account is called", \.name, AccountCommand.nameReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("issuer", "URL", "The issuer, exactly as it writes itself", \.issuer, .text)
            .required(),
          .value("subject", "SUBJECT", "What the issuer calls this person", \.subject, .text)
            .required(),
        ]),
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna account link ada --issuer https://id.example --subject 5f3c", "Ada signs in there")
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      let refusal = try await AccountStore(session.storage, actor: AccountCommand.actor).link(
        name, issuer: issuer, subject: subject, at: session.storage.now)
      if let refusal { throw CommandFailure(refusal, name) }
      session.diagnostics.note("luna: \(name) signs in at \(issuer)")
      return .done
    }
  }
}
