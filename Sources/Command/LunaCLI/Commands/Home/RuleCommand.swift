import CommandSpec

/// `luna rule`: the rules of a home.
enum RuleCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "rule", "List, test, run and explain the rules of a home.",
    discussion: [HomeCommand.gone],
    groups: [GeneralOptions.group.description],
    subcommands: [
      RuleListCommand.command.node { options in { await options.run() } },
      RuleTestCommand.command.node { options in { await options.run() } },
      RuleWhyCommand.command.node { options in { await options.run() } },
      RuleSnoozeCommand.command.node { options in { await options.run() } },
      RuleRunCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna rule list --time", "What runs next by the clock?"),
      Example("luna rule test --replay walk.gpx", "What would have run on this walk?"),
    ],
    exitStatuses: HomeCommand.statuses)
}
