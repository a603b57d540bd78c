import CommandSpec
import LunaBackend
import WebAccess

/// `luna account`: who may sign in to a backend.
enum AccountCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "account", "Look after the accounts of a backend.",
    discussion: [
      "An account is a person who signs in to the backend with a browser. These commands work on "
        + "the storage, whether a backend runs or not; a running one sees every change at once.",
      "A viewer reads; an operator also changes gateways and devices; an admin also looks after "
        + "accounts, tokens and settings. The last admin cannot be removed.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      AccountListCommand.command.node { options in { await options.run() } },
      AccountAddCommand.command.node { options in { await options.run() } },
      AccountEditCommand.command.node { options in { await options.run() } },
      AccountRemoveCommand.command.node { options in { await options.run() } },
      AccountLinkCommand.command.node { options in { await options.run() } },
      AccountSessionsCommand.command.node { options in { await options.run() } },
      AccountApproveCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna account add ada --role admin", "The first account, by an invitation"),
      Example("luna account list", "One line per account"),
    ],
    exitStatuses: ExitCode.statuses)

  /// Who the history says it was; no account has a name like this.
  static let actor = "luna account"

  /// The name of an account.
  static var nameReader: ValueReader<String> {
    ValueReader(
      expects: "1 to 64 small letters, digits, dots, hyphens and underscores", hint: .text
    ) {
      text throws(ValueProblem) in
      guard AccountRule.isName(text) else { throw ValueProblem("is no name of an account") }
      return text
    }
  }
}
