import CommandSpec

/// `luna setup`: makes of a machine what it is to be.
enum SetupCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "setup", "Set up what runs on this machine for years.",
    groups: [GeneralOptions.group.description],
    subcommands: [SetupGatewayCommand.command.node { options in { await options.run() } }],
    exitStatuses: ExitCode.clientStatuses)
}
