import CommandSpec

/// `luna token`: the tokens of who is signed in.
enum TokenCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "token", "Show or renew the token of who is signed in.",
    discussion: ["For tokens that a backend keeps see luna backend token."],
    groups: [GeneralOptions.group.description],
    subcommands: [
      TokenShowCommand.command.node { options in { await options.run() } },
      TokenRefreshCommand.command.node { options in { await options.run() } },
    ],
    examples: [Example("luna token show", "The token, for another program")],
    exitStatuses: ExitCode.clientStatuses)
}
