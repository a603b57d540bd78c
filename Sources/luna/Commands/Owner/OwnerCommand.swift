import CommandSpec

/// `luna owner`: one's own devices and what can be done with their keys.
enum OwnerCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "owner", "List your devices, see where they were, and command them from afar.",
    discussion: [
      "The devices are in a file that only its owner may read, in $XDG_DATA_HOME/luna or the "
        + "directory of --state. luna owner seal puts the keys in it under a passphrase besides.",
      "A DEVICE is its uuid, the beginning of it that no other has, or its name.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: keeping + OwnerNearCommand.verbs.map(OwnerNearCommand.node) + sealing,
    examples: [
      Example("luna owner list", "Your devices"),
      Example(
        "luna owner events keys --from 2026-11-20 --backend https://luna.example",
        "Where gateways have heard a tracker"),
      Example("luna owner export backup.json", "A copy of their keys, for a safe place"),
    ],
    exitStatuses: ExitCode.statuses)

  private static let keeping: [CommandNode<LunaCommand.Action>] = [
    OwnerListCommand.command.node { options in { await options.run() } },
    OwnerShowCommand.command.node { options in { await options.run() } },
    OwnerEventsCommand.command.node { options in { await options.run() } },
    OwnerBuzzCommand.command.node { options in { await options.run() } },
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
