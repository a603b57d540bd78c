import CommandSpec

/// `luna config`: what configuration files and the environment say.
enum ConfigCommand {
  static let name = "config"

  static let node = CommandNode<LunaCommand.Action>(
    name, "Show and check what configuration files and the environment say.",
    discussion: [
      "Options of every command come, the later ones winning, from /etc/luna/luna.conf, "
        + "$XDG_CONFIG_HOME/luna/luna.conf (usually ~/.config/luna/luna.conf), the file that --config "
        + "names, the environment, and the command line. In a file, each long option is a key: 'key = "
        + "value' lines, for all commands at the top, for some below [COMMAND], as in [finder] or "
        + "[owner list]. Flags take yes or no. A key that the running command does not have changes "
        + "nothing; a word that no command has is a mistake.",
      "Where /etc/luna/finder.conf is, as older gateways have it, it is read after /etc/luna/luna.conf.",
      "Services read it again on SIGHUP: luna finder, backend, uplink serve, scan and local, where they "
        + "have no terminal; the latter two where nothing ends them by itself, such as -T.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      ConfigShowCommand.command.node { options in { await options.run() } },
      ConfigCheckCommand.command.node { options in { await options.run() } },
    ],
    exitStatuses: ExitCode.statuses,
    environment: [
      EnvironmentVariable(
        ConfigurationFiles.systemVariable, "Read this file instead of /etc/luna/luna.conf")
    ])
}
