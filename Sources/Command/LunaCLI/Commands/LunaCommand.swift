import CommandSpec

/// The whole command line: every command is declared in a file of its own and listed here.
enum LunaCommand {
  typealias Action = @Sendable () async -> ExitCode

  /// All of it.
  static let tree = tree(of: commands)

  /// What is needed of it to read a command line: the command that it begins with, alone. Declaring
  /// all of them takes longer than most of them work.
  static func tree(for words: [String]) -> CommandNode<Action> {
    if words == ["--version"] { return tree(of: []) }
    guard let command = commands.first(where: { $0.name == words.first }) else { return tree }
    return tree(of: [command])
  }

  /// The command that a line begins with, as it is called here; nil for none.
  static func name(of words: [String]) -> String? {
    commands.first { $0.name == words.first }?.name
  }

  private typealias Declaration = (name: String, declare: @Sendable () -> CommandNode<Action>)

  // What is around, and what is one's own; then gateways, backends and trackers; then tools.
  private static let commands: [Declaration] = [
    ("scan", { ScanCommand.command.node { options in { await options.run() } } }),
    ("local", { LocalCommand.command.node { options in { await options.run() } } }),
    ("watch", { WatchCommand.node }),
    ("onboard", { OnboardCommand.command.node { options in { await options.run() } } }),
    ("buzz", { BuzzCommand.command.node { options in { await options.run() } } }),
    ("identify", { IdentifyCommand.command.node { options in { await options.run() } } }),
    ("owner", { OwnerCommand.node }),
    ("finder", { FinderCommand.node }),
    ("backend", { BackendCommand.node }),
    ("fleet", { FleetCommand.node }),
    ("account", { AccountCommand.node }),
    ("login", { LoginCommand.command.node { options in { await options.run() } } }),
    ("logout", { LogoutCommand.command.node { options in { await options.run() } } }),
    ("whoami", { WhoamiCommand.command.node { options in { await options.run() } } }),
    ("token", { TokenCommand.node }),
    ("telemetry", { TelemetryCommand.node }),
    ("home", { HomeCommand.node }),
    ("rule", { RuleCommand.node }),
    ("notify", { NotifyCommand.node }),
    ("contact", { ContactCommand.node }),
    ("share", { ShareCommand.node }),
    ("tracker", { TrackerCommand.node }),
    ("demo", { DemoCommand.command.node { options in { await options.run() } } }),
    ("doctor", { DoctorCommand.command.node { options in { await options.run() } } }),
    ("setup", { SetupCommand.node }),
    (ConfigCommand.name, { ConfigCommand.node }),
    ("adapters", { AdaptersCommand.command.node { options in { await options.run() } } }),
    ("capture", { CaptureCommand.command.node { options in { await options.run() } } }),
    ("decode", { DecodeCommand.command.node { options in { await options.run() } } }),
    ("keys", { KeysCommand.command.node { options in { await options.run() } } }),
    ("report", { ReportCommand.node }),
    ("uplink", { UplinkCommand.node }),
    ("selftest", { SelftestCommand.command.node { options in { await options.run() } } }),
    ("completions", { CompletionsCommand.command.node { options in { await options.run() } } }),
    ("manual", { ManualCommand.command.node { options in { await options.run() } } }),
  ]

  private static func tree(of commands: [Declaration]) -> CommandNode<Action> {
    CommandNode<Action>(
      "luna", "Find and follow Bluetooth LE trackers.",
      discussion: [
        "Luna shows every advertisement in the air, from any maker, decoded. Data goes to "
          + "standard output, everything else to standard error."
      ],
      groups: [GeneralOptions.group.description],
      subcommands: commands.map { $0.declare() },
      examples: [
        Example("luna scan", "A live table of everything nearby"),
        Example("luna scan --radio virtual", "The same in a simulated room, without an adapter"),
        Example("luna scan -i hci1", "With one of several adapters; luna adapters lists them"),
        Example(
          "luna local --mqtt mqtt://homeassistant.local",
          "Your trackers, and Home Assistant (MQTT) told of them"),
        Example(
          "luna owner events Keys --from 7d --format kml > keys.kml",
          "Where the keys were, for Google Earth; --backend URL says whom to ask"),
        Example("luna doctor", "Why is there nothing to see?"),
        Example(
          "sudo luna setup gateway",
          "A gateway, at every boot; luna setup --help tells of the others"),
        Example("luna demo", "Trackers, a gateway, a backend and an owner, all on this machine"),
      ],
      exitStatuses: ExitCode.statuses)
  }
}
