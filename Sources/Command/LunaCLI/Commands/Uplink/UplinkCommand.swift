import CommandSpec

/// `luna uplink`: is the network fair?
enum UplinkCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "uplink", "Judge whether a network treats traffic alike.",
    discussion: [
      "Makes checks with a server of luna uplink serve, or replays recordings with servers of Wehe's, and says "
        + "whether the network treats them as other traffic. "
        + "Reads what Wehe's clients measured, and says what their rules make of it; reads recordings and "
        + "lists of apps, and makes recordings. Nothing is sent before luna uplink consent.",
      "Wehe is a project of Northeastern University; what its users have found is at "
        + "https://wehe-data.ccs.neu.edu. Luna speaks its protocol, and is not of it.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      UplinkConsentCommand.command.node { options in { await options.run() } },
      UplinkProfilesCommand.command.node { options in { await options.run() } },
      UplinkRecordCommand.command.node { options in { await options.run() } },
      UplinkCheckCommand.command.node { options in { await options.run() } },
      UplinkLocateCommand.command.node { options in { await options.run() } },
      UplinkDPICommand.command.node { options in { await options.run() } },
      UplinkServeCommand.command.node { options in { await options.run() } },
      UplinkSettingsCommand.command.node { options in { await options.run() } },
      results,
    ],
    examples: [
      Example(
        "luna uplink results judge original.json control.json", "Does the original differ?"),
      Example("luna uplink profiles app_list.json", "Which apps can be compared?"),
    ],
    exitStatuses: ExitCode.uplinkCheckStatuses)

  private static let results: CommandNode<LunaCommand.Action> = UplinkResultsCommand.command.node(
    subcommands: [
      UplinkJudgeCommand.command.node { options in { await options.run() } },
      UplinkImportCommand.command.node { options in { await options.run() } },
    ]) { options in { await options.run() } }
}
