import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb
import LunaTables
import TerminalTable

/// `luna home account list`: all accounts.
struct HomeAccountListCommand: Sendable {
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the accounts.", initial: HomeAccountListCommand(),
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home account list", "One line per account")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let accounts = try await session.accounts.accounts()
      let rows = accounts.map { account in
        [
          account.name, account.role.rawValue, account.canSignIn ? "active" : "invited",
          account.hasSecondFactor ? "yes" : "no",
        ]
      }
      guard session.isJSON else {
        return ColumnTable.append(
          [
            .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
            .init(title: "TOTP"),
          ], rows, to: session.output)
      }
      for (account, row) in zip(accounts, rows) {
        session.output.appendLine("account") { writer in
          writer.string("name", row[0])
          writer.string("role", row[1])
          writer.string("state", row[2])
          writer.boolean("totp", account.hasSecondFactor)
          writer.string("createdAt", account.createdAt.rfc3339)
        }
      }
    }
  }
}
