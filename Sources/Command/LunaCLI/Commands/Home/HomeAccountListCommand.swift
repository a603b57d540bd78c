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
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the accounts, with what they may and until when.",
    initial: HomeAccountListCommand(),
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home account list", "One line per account")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let accounts = try await session.accounts.accounts()
      let times = zone.times
      let rows = accounts.map { account in
        [
          account.name, account.role.rawValue, account.canSignIn ? "active" : "invited",
          account.hasSecondFactor ? "yes" : "no", account.until.map(times.cell) ?? "",
          trackers(of: account),
        ]
      }
      guard session.isJSON else {
        return ColumnTable.append(
          [
            .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
            .init(title: "TOTP"), .init(title: times.head("UNTIL"), isOptional: true),
            .init(title: "TRACKERS", minimum: 8, isOptional: true),
          ], rows, to: session.output)
      }
      for (account, row) in zip(accounts, rows) {
        session.output.appendLine("account") { writer in
          writer.string("name", row[0])
          writer.string("role", row[1])
          writer.string("state", row[2])
          writer.boolean("totp", account.hasSecondFactor)
          for (name, rings) in [("trackers" as StaticString, true), ("see", false)] {
            writer.beginList(name)
            for right in account.rights where right.rings == rings {
              writer.element(right.tracker)
            }
            writer.endList()
          }
          if let until = account.until { writer.string("until", until.rfc3339) }
          writer.string("createdAt", account.createdAt.rfc3339)
        }
      }
    }
  }

  /// What a guest sees and rings, or that it is everything.
  private func trackers(of account: HomeAccount) -> String {
    guard account.role == .guest else { return "all" }
    let names = account.rights.map { $0.rings ? $0.tracker : $0.tracker + " (sees)" }
    return names.joined(separator: ", ")
  }
}
