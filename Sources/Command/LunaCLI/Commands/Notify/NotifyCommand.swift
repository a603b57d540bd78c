import CommandSpec

/// `luna notify`: what the rules of a home tell people.
enum NotifyCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "notify", "Test how people are told, and list what waits.",
    groups: [GeneralOptions.group.description],
    subcommands: [
      NotifyTestCommand.command.node { options in { await options.run() } },
      NotifyListCommand.command.node { options in { await options.run() } },
      NotifyRetryCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna notify test mail", "Does the channel work?"),
      Example("luna notify list --failed", "What was not told, and why?"),
    ],
    exitStatuses: statuses)

  static let statuses = [
    ExitCode.done, .notFound, .usage, .noPermission, .lost, .unreadableInput, .backend,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }
}
