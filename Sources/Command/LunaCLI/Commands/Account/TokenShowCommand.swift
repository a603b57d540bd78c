import CommandSpec
import Glibc
import LunaAccount
import LunaCrypto
import LunaDocuments

/// `luna token show`: a token that holds.
struct TokenShowCommand: Sendable {
  var mode = AuthMode.accessToken
  var format: OutputFormat?
  var server = ServerOptions()
  var account = AccountOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Print a token that holds, renewed where it is due.",
    discussion: [
      "Whoever has it can do what it is for until it ends. Standard output is the token alone, also in a "
        + "pipe, unless --format jsonl is given."
    ],
    initial: TokenShowCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("mode", "MODE", "accessToken, or jwt for the ID token", \.mode, .choice)
            .defaulting(to: "accessToken"),
          .value(
            "format", "FORMAT", "table or jsonl", \.format,
            ValueReader<OutputFormat>.choice([
              (Choice("table"), .table), (Choice("jsonl"), .jsonl),
            ])
          ).defaulting(to: "table"),
        ])
    ] + AccountOptions.groups.map { $0.scoped(to: \.account) } + [
      ServerOptions.group.scoped(to: \.server), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna token show", "For another program"),
      Example("luna token show --mode jwt", "The ID token"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let account = try self.account.account(server)
      let token = try await account.token(mode)
      let text = token.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
      }
      guard format == .jsonl else {
        output.append(line: text)
        return .done
      }
      var writer = JSONFieldWriter("accessToken", in: output)
      writer.string("mode", mode.rawValue)
      writer.string("token", text)
      writer.endLine()
      return .done
    }
  }
}
