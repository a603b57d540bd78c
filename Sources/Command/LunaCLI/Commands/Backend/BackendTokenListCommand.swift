import Bluetooth
import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments
import LunaTables
import TerminalTable

/// `luna backend token list`: all tokens, without their secrets.
struct BackendTokenListCommand: Sendable {
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the tokens, including revoked ones, without their secrets.",
    initial: BackendTokenListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend token list", "One line per token")],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["id", "kind", "name", "createdAt", "revokedAt", "role"]

  private var heads: [ColumnTable.Column] {
    let clock = zone.clock
    return [
      .init(title: "ID"), .init(title: "KIND"), .init(title: "NAME", minimum: 8),
      .init(title: clock.head("CREATED"), isOptional: true), .init(title: clock.head("REVOKED")),
      .init(title: "ROLE", isOptional: true),
    ]
  }

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general, isMade: false) { session in
      let tokens = try await session.storage.tokens()
      Listing(fields: Self.fields, columns: heads).append(
        tokens.count, as: session.format.ofList, to: session.output,
        line: { append(tokens[$0], to: $1) }, cells: { cells(tokens[$0]) })
      return .done
    }
  }

  private func cells(_ token: TokenRecord) -> [String] {
    [
      token.id, token.role.rawValue, token.name, zone.clock.dateAndTime(token.createdAt),
      token.revokedAt.map(zone.clock.dateAndTime) ?? "-", token.rights?.rawValue ?? "-",
    ]
  }

  private func append(_ token: TokenRecord, to output: OutputBuffer) {
    var writer = JSONFieldWriter("token", in: output)
    writer.string("id", token.id)
    writer.string("kind", token.role.rawValue)
    writer.string("name", token.name)
    if let rights = token.rights { writer.string("role", rights.rawValue) }
    writer.string("createdAt", token.createdAt.rfc3339)
    if let time = token.revokedAt { writer.string("revokedAt", time.rfc3339) }
    writer.endLine()
  }
}
