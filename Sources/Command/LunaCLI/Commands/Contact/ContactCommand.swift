import CommandSpec
import LunaShare

/// `luna contact`: people with whom trackers are shared.
enum ContactCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "contact", "Keep the contact cards with which trackers are shared.",
    discussion: [
      "Everybody has a card of their own, a public key and a name, and gives it to others. Both "
        + "read the code of the other's card to each other: then nobody has put a card of their "
        + "own in between."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      ContactCardCommand.command.node { options in { await options.run() } },
      ContactAddCommand.command.node { options in { await options.run() } },
      ContactListCommand.command.node { options in { await options.run() } },
      ContactVerifyCommand.command.node { options in { await options.run() } },
      ContactRemoveCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna contact card --qr", "Let somebody take a picture of it"),
      Example("luna contact add ben --card ben.png", "A picture of Ben's card"),
    ],
    exitStatuses: ExitCode.statuses)

  /// The name of a contact.
  static var nameReader: ValueReader<String> {
    ValueReader(expects: "a name of 1 to \(ContactCard.nameLimit) bytes") {
      text throws(ValueProblem) in
      guard 1...ContactCard.nameLimit ~= text.utf8.count else {
        throw ValueProblem("is empty or too long")
      }
      return text
    }
  }
}
