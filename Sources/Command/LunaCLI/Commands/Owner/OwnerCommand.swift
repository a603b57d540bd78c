import CommandSpec

/// `luna owner`: one's own devices and what can be done with their keys.
enum OwnerCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "owner", "List your devices, see where they were, and control them from afar.",
    discussion: [
      "The devices are stored in a file that only you can read, in $XDG_DATA_HOME/luna or "
        + "the directory given with --state. luna owner seal protects the keys in it with a "
        + "passphrase.",
      "DEVICE is a device's uuid, the start of it if no other device's starts alike, or its name.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: keeping + OwnerNearCommand.verbs.map(OwnerNearCommand.node) + sealing,
    examples: [
      Example("luna owner list", "Your devices"),
      Example(
        "luna owner events keys --from 2026-11-20 --backend https://luna.example",
        "Where gateways heard a tracker"),
      Example("luna owner export backup.json", "A copy of their keys, to keep in a safe place"),
    ],
    exitStatuses: ExitCode.statuses)

  private static let keeping: [CommandNode<LunaCommand.Action>] = [
    OwnerListCommand.command.node { options in { await options.run() } },
    OwnerShowCommand.command.node { options in { await options.run() } },
    OwnerEventsCommand.command.node { options in { await options.run() } },
    OwnerBuzzCommand.command.node { options in { await options.run() } },
    OwnerCommandsCommand.command.node { options in { await options.run() } },
    OwnerPackagesCommand.command.node { options in { await options.run() } },
    OwnerRenameCommand.command.node { options in { await options.run() } },
    OwnerForgetCommand.command.node { options in { await options.run() } },
    OwnerExportCommand.command.node { options in { await options.run() } },
    OwnerImportCommand.command.node { options in { await options.run() } },
  ]

  private static let sealing: [CommandNode<LunaCommand.Action>] = [
    OwnerSealCommand.command.node { options in { await options.run() } },
    OwnerUnsealCommand.command.node { options in { await options.run() } },
  ]
}
