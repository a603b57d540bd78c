import CommandSpec

/// `luna home`: a home of one's own.
enum HomeCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "home", "Run a home of your own, and check and write its file.",
    discussion: [
      "What a home is stands in one file: trackers, places, rules, contacts, and what the app shows. "
        + "It is JSON in which comments and commas at the end of a list are fine. Without FILE it is "
        + "$XDG_CONFIG_HOME/luna/home.json (usually ~/.config/luna/home.json).",
      gone, "luna home run --help says how one starts at every boot.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      HomeRunCommand.command.node { options in { await options.run() } },
      HomeInitCommand.command.node { options in { await options.run() } },
      HomeCheckCommand.command.node { options in { await options.run() } },
      HomeShowCommand.command.node { options in { await options.run() } },
      HomeSchemaCommand.command.node { options in { await options.run() } },
      HomeMigrateCommand.command.node { options in { await options.run() } },
      HomeDoCommand.command.node { options in { await options.run() } },
      HomeLinkCommand.command.node { options in { await options.run() } },
      HomeAccountCommand.node,
      HomeExportCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna home run --demo", "See one that is made up"),
      Example("luna home init", "Write a file with your trackers"),
      Example("luna home check", "Find all mistakes in it"),
    ],
    exitStatuses: statuses)

  /// When a tracker counts as gone.
  static let gone =
    "A tracker counts as gone (present is no, and beaconOut starts rules) when it was not heard for two minutes, or "
    + "ten times as long as usual between two of its frames where that is longer. While nobody at all is heard, "
    + "nobody is gone."

  /// Those of commands that need a home that runs.
  static let runningStatuses = ExitCode.clientStatuses.map {
    $0.code == UInt8(ExitCode.backend.rawValue)
      ? ExitStatus($0.code, "No home runs in the state directory.") : $0
  }

  static let statuses = [
    ExitCode.done, .notFound, .usage, .noPermission, .lost, .unreadableInput,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }
}
