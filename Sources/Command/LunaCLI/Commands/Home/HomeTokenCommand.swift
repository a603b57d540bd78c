import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb
import LunaTables
import TerminalTable

/// `luna home account token`: programs that may use the API of a home.
struct HomeTokenCommand: Sendable {
  var name = ""
  var role = HomeRole.member
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let node = CommandNode<LunaCommand.Action>(
    "token", "Look after the tokens of programs.",
    groups: [GeneralOptions.group.description],
    subcommands: [
      make(
        "add", "Make a token; it is shown once.", hasRole: true, "luna home account token add ha"
      )
      .node { options in { await options.add() } },
      make("list", "List the tokens.", hasName: false, "luna home account token list")
        .node { options in { await options.list() } },
      make("revoke", "End a token at once.", "luna home account token revoke ha")
        .node { options in { await options.revoke() } },
    ],
    examples: [Example("luna home account token add ha", "For a program of yours")],
    exitStatuses: HomeCommand.statuses)

  private static func make(
    _ word: String, _ summary: String, hasName: Bool = true, hasRole: Bool = false,
    _ example: String
  ) -> Command<HomeTokenCommand> {
    // Only a list has rows.
    let forms: [OutputFormat] = hasName ? [.table, .jsonl] : OutputFormat.allCases
    return Command(
      word, summary, initial: HomeTokenCommand(),
      arguments: hasName
        ? [.required("NAME", "What it is called", \.name, HomeAccountCommand.nameReader)] : [],
      groups: (hasRole
        ? [
          OptionGroup(
            "Options",
            [
              .value("role", "ROLE", "What it may do", \.role, HomeAccountCommand.roleReader)
                .defaulting(to: "member")
            ])
        ] : []) + [
          StateOption.group.scoped(to: \.state),
          OutputOptions.group(of: forms).scoped(to: \.output),
          GeneralOptions.group.scoped(to: \.general),
        ],
      examples: [Example(example, "As it says")], exitStatuses: HomeCommand.statuses)
  }

  private func add() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let token = try await session.accounts.addToken(name, role, at: .now)
      if session.isJSON {
        session.output.appendLine("token") { writer in
          writer.string("name", name)
          writer.string("token", token)
        }
      } else {
        session.output.append(line: token)
      }
      try await session.output.flush { try await session.accounts.revokeToken(name) }
    }
  }

  private func list() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let tokens = try await session.accounts.tokens()
      Listing(
        fields: ["name", "role", "createdAt"],
        columns: [.init(title: "NAME", minimum: 8), .init(title: "ROLE")]
      ).append(
        tokens.count, as: session.format.ofList, to: session.output,
        line: { row, output in
          output.appendLine("token") { writer in
            writer.string("name", tokens[row].name)
            writer.string("role", tokens[row].role.rawValue)
            writer.string("createdAt", tokens[row].createdAt.rfc3339)
          }
        },
        cells: { [tokens[$0].name, tokens[$0].role.rawValue] })
    }
  }

  private func revoke() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      try await session.accounts.revokeToken(name)
    }
  }
}
