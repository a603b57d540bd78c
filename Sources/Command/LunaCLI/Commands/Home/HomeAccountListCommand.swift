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
      OutputOptions.group.scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home account list", "One line per account")],
    exitStatuses: HomeCommand.statuses)

  private static let fields = [
    "name", "role", "state", "totp", "until", "trackers", "see", "createdAt",
  ]

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general, isMade: false) { session in
      let accounts = try await session.accounts.accounts()
      switch session.format {
      case .jsonl:
        for account in accounts { append(account, to: session.output) }
      case .csv:
        CSVRows.append(Self.fields, to: session.output) { lines in
          for account in accounts { append(account, to: lines) }
        }
      case .table:
        let times = zone.times
        ColumnTable.append(
          [
            .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
            .init(title: "TOTP"), .init(title: times.head("UNTIL"), isOptional: true),
            .init(title: "TRACKERS", minimum: 8, isOptional: true),
          ],
          accounts.map { account in
            [
              account.name, account.role.rawValue, word(of: account),
              account.hasSecondFactor ? "yes" : "no", account.until.map(times.cell) ?? "",
              trackers(of: account),
            ]
          }, to: session.output)
      }
    }
  }

  private func append(_ account: HomeAccount, to output: OutputBuffer) {
    output.appendLine("account") { writer in
      writer.string("name", account.name)
      writer.string("role", account.role.rawValue)
      writer.string("state", word(of: account))
      writer.boolean("totp", account.hasSecondFactor)
      for (name, rings) in [("trackers" as StaticString, true), ("see", false)] {
        writer.beginList(name)
        for right in account.rights where right.rings == rings { writer.element(right.tracker) }
        writer.endList()
      }
      if let until = account.until { writer.string("until", until.rfc3339) }
      writer.string("createdAt", account.createdAt.rfc3339)
    }
  }

  private func word(of account: HomeAccount) -> String {
    account.canSignIn ? "active" : "invited"
  }

  /// What a guest sees and rings, or that it is everything.
  private func trackers(of account: HomeAccount) -> String {
    guard account.role == .guest else { return "all" }
    let names = account.rights.map { $0.rings ? $0.tracker : $0.tracker + " (sees)" }
    return names.joined(separator: ", ")
  }
}
