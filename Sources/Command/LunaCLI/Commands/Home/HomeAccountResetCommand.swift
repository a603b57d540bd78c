import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb
import WebAccess

/// `luna home account reset`.
struct HomeAccountResetCommand: Sendable {
  var name = ""
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "reset", "Make a link with which somebody makes another password.",
    initial: HomeAccountResetCommand(),
    arguments: [.required("NAME", "The account", \.name, HomeAccountCommand.nameReader)],
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home account reset ada", "Of this one")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let secret = try await session.accounts.reset(name, at: .now)
      try await session.show("reset", secret.text, name: name) {
        try await session.accounts.withdraw(secret)
      }
    }
  }
}
