import CommandSpec

/// The whole command line: every command is declared in a file of its own and listed here.
enum LunaCommand {
  typealias Action = @Sendable () async -> ExitCode

  static let tree = CommandNode<Action>(
    "luna", "See and follow Bluetooth LE trackers.",
    discussion: [
      "Luna shows every advertisement in the air, from any maker, decoded. Data go to standard "
        + "output, everything else to standard error."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      // What is around, and what is one's own; then gateways, backends and trackers; then tools.
      ScanCommand.command.node { options in { await options.run() } },
      LocalCommand.command.node { options in { await options.run() } },
      OnboardCommand.command.node { options in { await options.run() } },
      BuzzCommand.command.node { options in { await options.run() } },
      IdentifyCommand.command.node { options in { await options.run() } },
      OwnerCommand.node,
      FinderCommand.node,
      BackendCommand.node,
      TrackerCommand.node,
      DemoCommand.command.node { options in { await options.run() } },
      AdaptersCommand.command.node { options in { await options.run() } },
      CaptureCommand.command.node { options in { await options.run() } },
      DecodeCommand.command.node { options in { await options.run() } },
      KeysCommand.command.node { options in { await options.run() } },
      ReportCommand.node,
      SelftestCommand.command.node { options in { await options.run() } },
      CompletionsCommand.command.node { options in { await options.run() } },
      ManualCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna scan", "A live table of everything around"),
      Example("luna scan --radio virtual", "The same without an adapter, in a simulated room"),
      Example("luna demo", "Trackers, a gateway, a backend and an owner, all on this machine"),
    ],
    exitStatuses: ExitCode.statuses)
}
