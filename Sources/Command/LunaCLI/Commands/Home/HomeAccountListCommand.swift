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

  private var heads: [ColumnTable.Column] {
    [
      .init(title: "NAME", minimum: 8), .init(title: "ROLE"), .init(title: "STATE"),
      .init(title: "TOTP"), .init(title: zone.times.head("UNTIL"), isOptional: true),
      .init(title: "TRACKERS", minimum: 8, isOptional: true),
    ]
  }

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general, isMade: false) { session in
      let accounts = try await session.accounts.accounts()
      Listing(fields: Self.fields, columns: heads).append(
        accounts.count, as: session.format.ofList, to: session.output,
        line: { append(accounts[$0], to: $1) }, cells: { cells(accounts[$0]) })
    }
  }

  private func cells(_ account: HomeAccount) -> [String] {
    [
      account.name, account.role.rawValue, word(of: account),
      account.hasSecondFactor ? "yes" : "no", account.until.map(zone.times.cell) ?? "",
      trackers(of: account),
    ]
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
