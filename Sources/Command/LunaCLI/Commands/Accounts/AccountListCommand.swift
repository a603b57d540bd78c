import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments
import LunaTables
import TerminalTable

/// `luna account list`: all accounts.
struct AccountListCommand: Sendable {
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the accounts.", initial: AccountListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna account list", "One line per account")],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["name", "role", "state", "totp", "createdAt"]

  private var heads: [ColumnTable.Column] {
    let clock = zone.clock
    return [
      .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
      .init(title: "TOTP"), .init(title: clock.head("CREATED"), isOptional: true),
    ]
  }

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general, isMade: false) { session in
      let accounts = try await AccountStore(session.storage).accounts()
      Listing(fields: Self.fields, columns: heads).append(
        accounts.count, as: session.format.ofList, to: session.output,
        line: { append(accounts[$0], to: $1) }, cells: { cells(accounts[$0]) })
      return .done
    }
  }

  private func state(_ account: Account) -> String { account.canSignIn ? "active" : "invited" }

  private func cells(_ account: Account) -> [String] {
    [
      account.name, account.role.rawValue, state(account), account.hasSecondFactor ? "yes" : "no",
      zone.clock.dateAndTime(account.createdAt),
    ]
  }

  private func append(_ account: Account, to output: OutputBuffer) {
    var writer = JSONFieldWriter("account", in: output)
    writer.string("name", account.name)
    writer.string("role", account.role.rawValue)
    writer.string("state", state(account))
    writer.boolean("totp", account.hasSecondFactor)
    writer.string("createdAt", account.createdAt.rfc3339)
    writer.endLine()
  }
}
