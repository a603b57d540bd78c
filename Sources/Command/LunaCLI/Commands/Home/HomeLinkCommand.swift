import CommandSpec
import LunaCore
import LunaDocuments
import LunaHome
import LunaHomeWeb
import WebAccess

/// `luna home link`: a link with which the owner gets into the app of the home that runs.
struct HomeLinkCommand: Sendable {
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "link", "Print a link that signs you in to the app of the home that runs.",
    discussion: [
      "It is good once, for 10 minutes; links before it are no longer good. Without any account it makes "
        + "the first one, which looks after all others."
    ],
    initial: HomeLinkCommand(),
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna home link", "Sign in")],
    exitStatuses: HomeCommand.runningStatuses)

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      _ = try HomeCalls(state: try state.path())
      let secret = try await session.accounts.setupLink(at: .now)
      try await session.show("setup", secret.text, name: nil) {
        try await session.accounts.withdraw(secret)
      }
    }
  }
}
