import CommandSpec
import LunaBackend

/// `luna backend token`: who may do what.
enum BackendTokenCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "token", "Make, list and revoke the tokens of a backend.",
    discussion: [
      "A token is for a gateway, an owner or an admin, and allows only what that role "
        + "needs. Each name can have two valid tokens: make the new one, hand it out, then "
        + "revoke the old one. A running backend sees every change at once."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      BackendTokenCreateCommand.command.node { options in { await options.run() } },
      BackendTokenListCommand.command.node { options in { await options.run() } },
      BackendTokenRevokeCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna backend token create owner me --out token", "A token in a file, mode 0600"),
      Example("luna backend token list", "All tokens, without their secrets"),
    ],
    exitStatuses: ExitCode.statuses)

  /// Makes and revokes them, and has the history say so; no account has a name like this one's.
  static func tokens(_ session: BackendSession) -> AccountStore {
    AccountStore(session.storage, actor: "luna backend token")
  }
}
