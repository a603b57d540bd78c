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
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the accounts.", initial: AccountListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna account list", "One line per account")],
    exitStatuses: ExitCode.statuses)

  private static let titles = ["name", "role", "state", "totp", "created"]

  private static let heads: [ColumnTable.Column] = [
    .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
    .init(title: "TOTP"), .init(title: "CREATED (UTC)", isOptional: true),
  ]

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      let accounts = try await AccountStore(session.storage).accounts()
      switch session.format {
      case .jsonl:
        for account in accounts { append(account, to: session.output) }
      case .csv:
        let rows = accounts.map { cells($0, $0.createdAt.rfc3339) }
        for row in [Self.titles] + rows { CSVLine.append(row, to: session.output) }
      case .table:
        ColumnTable.append(
          Self.heads, accounts.map { cells($0, ClockText.dateAndTime($0.createdAt)) },
          to: session.output)
      }
      return .done
    }
  }

  private func state(_ account: Account) -> String { account.canSignIn ? "active" : "invited" }

  private func cells(_ account: Account, _ created: String) -> [String] {
    [
      account.name, account.role.rawValue, state(account), account.hasSecondFactor ? "yes" : "no",
      created,
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
