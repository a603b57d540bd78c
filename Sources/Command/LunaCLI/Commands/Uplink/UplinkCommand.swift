import CommandSpec

/// `luna uplink`: is the network fair?
enum UplinkCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "uplink", "Judge whether a network treats traffic alike.",
    discussion: [
      "Reads what Wehe's clients measured, and says what their rules make of it. Nothing is sent."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [results],
    examples: [
      Example(
        "luna uplink results judge original.json control.json", "Does the original differ?")
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  private static let results: CommandNode<LunaCommand.Action> = UplinkResultsCommand.command.node(
    subcommands: [
      UplinkJudgeCommand.command.node { options in { await options.run() } },
      UplinkImportCommand.command.node { options in { await options.run() } },
    ]) { options in { await options.run() } }
}
