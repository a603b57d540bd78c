import CommandSpec

/// `luna setup`: makes of a machine what it is to be.
enum SetupCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "setup", "Set up what runs on this machine for years.",
    discussion: [
      "The other services have nothing to be asked for: sudo systemctl enable --now luna-home starts a home at "
        + "every boot, luna-local what tells MQTT of your trackers, luna-scan and luna-backend the rest. luna home "
        + "run --help and luna local --help say what the first two need."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [SetupGatewayCommand.command.node { options in { await options.run() } }],
    exitStatuses: ExitCode.clientStatuses)
}
