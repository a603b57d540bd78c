import CommandSpec
import LunaHomeWeb
import WebAccess

/// `luna home account`: who may use the app of a home.
enum HomeAccountCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "account", "Look after the accounts of a home.",
    discussion: [
      "A guest sees and rings some trackers; a member sees and uses all, and makes places and rules; an "
        + "owner also looks after accounts. These commands work whether the home runs or not. A home keeps at "
        + "least one owner who can sign in, and whose right does not end."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      HomeAccountListCommand.command.node { options in { await options.run() } },
      HomeAccountAddCommand.command.node { options in { await options.run() } },
      HomeAccountAddCommand.invitation.node { options in { await options.run() } },
      HomeAccountEditCommand.command.node { options in { await options.run() } },
      HomeAccountResetCommand.command.node { options in { await options.run() } },
      HomeAccountRemoveCommand.command.node { options in { await options.run() } },
      HomeTokenCommand.node,
    ],
    examples: [Example("luna home account add ada --role member", "Somebody who lives there")],
    exitStatuses: HomeCommand.statuses)

  /// The name of an account.
  static var nameReader: ValueReader<String> {
    ValueReader(
      expects: "1 to 64 small letters, digits, dots, hyphens and underscores", hint: .text
    ) { text throws(ValueProblem) in
      guard AccountRule.isName(text) else { throw ValueProblem("is no name of an account") }
      return text
    }
  }

  /// The ids of trackers, with commas between; none for an empty text.
  static var trackersReader: ValueReader<[String]> {
    ValueReader(expects: "ids of trackers with commas between", hint: .text) {
      text throws(ValueProblem) in
      // What an id cannot have, the list of them has between them.
      guard !text.contains(where: { $0.isNewline || $0 == "=" }) else {
        throw ValueProblem("is no list of ids")
      }
      return text.split(separator: ",").map(String.init)
    }
  }

  static var roleReader: ValueReader<HomeRole> {
    .choice([
      (Choice("guest", "sees and rings some trackers"), .guest),
      (Choice("member", "sees and uses all trackers"), .member),
      (Choice("owner", "also looks after accounts"), .owner),
    ])
  }
}
