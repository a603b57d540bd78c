import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments
import SafeText

/// `luna account approve`: signs in a program that shows a code, without a browser.
struct AccountApproveCommand: Sendable {
  var code = ""
  var account: String?
  var key: String?
  var isRefusal = false
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "approve", "Sign in a program that shows a code, without a browser.",
    discussion: [
      "A program that signs in with luna login --device shows a code. Whoever can read the storage of the "
        + "backend approves it here; it is told what asks, and from where. Approve only what you have "
        + "started yourself: a code that somebody sent you signs that person's program in.",
      "A gateway needs nothing more; a person or an owner needs --account.",
    ],
    initial: AccountApproveCommand(),
    arguments: [.required("CODE", "What the program shows", \.code, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "account", "NAME", "The account as which it is signed in", \.account,
            AccountCommand.nameReader),
          .value(
            "key", "KEY", "The name of a gateway", \.key, BackendTokenCreateCommand.nameReader
          ).defaulting(to: "what it asks for, or a new one"),
          .flag("deny", "Refuse it instead", \.isRefusal),
        ], exclusive: [["account", "key", "deny"]]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna account approve BCDF-GHJK", "A gateway"),
      Example("luna account approve BCDF-GHJK --account ada", "A person's program"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      guard let code = UserCode(code) else {
        throw CommandFailure(.usage, "this is no code", hint: "a code has eight letters: BCDF-GHJK")
      }
      var decision = SignInDecision()
      decision.account = account
      decision.key = key
      decision.mayAddGateways = true
      decision.isRefusal = isRefusal
      let outcome = try await OwnIssuer(storage: session.storage)
        .decide(code, decision, at: session.storage.now)
      try await AccountStore(session.storage, actor: AccountCommand.actor)
        .note(outcome, at: session.storage.now)
      // It is in the fleet from now on, and can be given a place before it comes.
      if case .approved(_, .gateway(let key)) = outcome {
        try await FleetStore(storage: session.storage)
          .adopt(key, by: AccountCommand.actor, at: session.storage.now)
      }
      return try tell(outcome, session)
    }
  }

  private func tell(
    _ outcome: SignInDecision.Outcome, _ session: BackendSession
  ) throws -> ExitCode {
    switch outcome {
    case .approved(let waiting, let holder):
      note(waiting, "is signed in as the \(holder.kind) \(holder.name)", session)
      line("approved", waiting, holder, session)
    case .refused(let waiting):
      note(waiting, "is refused", session)
      line("refused", waiting, nil, session)
    case .unknown:
      throw CommandFailure(
        .notFound, "nothing waits with this code",
        hint: "check it; a code holds ten minutes and works once")
    case .needsAccount(let waiting), .mayNot(let waiting):
      throw CommandFailure(
        .usage, "the program wants to be signed in for \(waiting.scope.text)",
        hint: "name the account with --account NAME")
    case .wasRemoved(let key):
      throw CommandFailure(
        .notFound, "the gateway \(ForeignText(key)) was removed",
        hint: "undo that first (luna fleet undo), or give it another name with --key KEY")
    case .noAccount(let name):
      throw CommandFailure(
        .notFound, "there is no account \(ForeignText(name))", hint: "luna account list shows them")
    }
    return .done
  }

  private func note(_ waiting: WaitingSignIn, _ what: String, _ session: BackendSession) {
    let address = waiting.address.map { " at \(ForeignText($0))" } ?? ""
    session.diagnostics.note(
      "luna: the program \(ForeignText(waiting.client))\(address), which asked at "
        + "\(zone.noted.moment(waiting.createdAt)) for \(waiting.scope.text), \(what)")
  }

  private func line(
    _ state: String, _ waiting: WaitingSignIn, _ holder: IssuedHolder?, _ session: BackendSession
  ) {
    guard session.format == .jsonl else { return }
    var writer = JSONFieldWriter("signIn", in: session.output)
    writer.string("userCode", waiting.code.shown)
    writer.string("state", state)
    writer.string("clientId", waiting.client)
    writer.string("scope", waiting.scope.text)
    if let address = waiting.address { writer.string("from", address) }
    if let holder {
      writer.string("kind", holder.kind)
      writer.string("name", holder.name)
    }
    writer.endLine()
  }
}
