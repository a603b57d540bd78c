import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments
import LunaTables
import SafeText
import TerminalTable

/// `luna account sessions`: where an account is signed in.
struct AccountSessionsCommand: Sendable {
  var name = ""
  var ends = false
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "sessions", "List where an account is signed in, or end all of it.",
    initial: AccountSessionsCommand(),
    arguments: [
      .required("NAME", "What the account is called", \.name, AccountCommand.nameReader)
    ],
    groups: [
      OptionGroup("Options", [.flag("end", "End these sessions", \.ends)]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna account sessions ada", "One line per browser"),
      Example("luna account sessions ada --end", "Sign it out everywhere"),
    ],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["id", "method", "createdAt", "seenAt", "address", "agent"]

  private var heads: [ColumnTable.Column] {
    let clock = zone.clock
    return [
      .init(title: "ID"), .init(title: "BY"), .init(title: clock.head("SINCE")),
      .init(title: clock.head("SEEN")), .init(title: "ADDRESS", isOptional: true),
      .init(title: "BROWSER", minimum: 8, isOptional: true),
    ]
  }

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general, isMade: ends) { session in
      let accounts = AccountStore(session.storage, actor: AccountCommand.actor)
      guard try await accounts.account(name) != nil else {
        throw CommandFailure(AccountRefusal.unknown, name)
      }
      if ends {
        let count = try await accounts.endSessions(of: name)
        session.diagnostics.note("luna: \(count) sessions of \(name) are over")
        return .done
      }
      let sessions = try await accounts.sessions(of: name, at: session.storage.now)
      Listing(fields: Self.fields, columns: heads).append(
        sessions.count, as: session.format.ofList, to: session.output,
        line: { append(sessions[$0], to: $1) }, cells: { cells(sessions[$0]) })
      return .done
    }
  }

  private func cells(_ session: Session) -> [String] {
    [
      session.id, session.method, zone.clock.dateAndTime(session.createdAt),
      zone.clock.dateAndTime(session.seenAt), session.address ?? "", agent(session),
    ]
  }

  /// Browsers write what they like.
  private func agent(_ session: Session) -> String {
    session.agent.map { "\(ForeignText($0))" } ?? ""
  }

  private func append(_ session: Session, to output: OutputBuffer) {
    var writer = JSONFieldWriter("session", in: output)
    writer.string("id", session.id)
    writer.string("account", session.account)
    writer.string("method", session.method)
    writer.string("createdAt", session.createdAt.rfc3339)
    writer.string("seenAt", session.seenAt.rfc3339)
    writer.string("expiresAt", session.expiresAt.rfc3339)
    if let address = session.address { writer.string("address", address) }
    if let agent = session.agent { writer.string("agent", agent) }
    writer.endLine()
  }
}
