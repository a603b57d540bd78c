import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb

/// `luna home account remove`.
struct HomeAccountRemoveCommand: Sendable {
  var name = ""
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "remove", "Remove an account, with all that it is signed in with.",
    initial: HomeAccountRemoveCommand(),
    arguments: [.required("NAME", "The account", \.name, HomeAccountCommand.nameReader)],
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home account remove ada", "Of this one")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      try await session.accounts.remove(name)
    }
  }
}
