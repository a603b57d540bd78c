import CommandSpec

/// `luna fleet`: the gateways of a backend.
enum FleetCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "fleet", "Look after the gateways of a backend.",
    discussion: [
      "Every gateway has a record at the backend: its name, where it is, its site and tags, and what "
        + "was changed by whom. The commands need a token of the kind admin (luna backend token create "
        + "admin NAME --role operator) in --token-file, or somebody who has signed in (--sign-in).",
      "GW is a gateway's id, its key, or its name.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      FleetListCommand.command.node { options in { await options.run() } },
      FleetShowCommand.command.node { options in { await options.run() } },
      FleetAddCommand.command.node { options in { await options.run() } },
      FleetEditCommand.command.node { options in { await options.run() } },
      FleetRemoveCommand.command.node { options in { await options.run() } },
      FleetUndoCommand.command.node { options in { await options.run() } },
      FleetEnrollCommand.command.node { options in { await options.run() } },
      FleetLabelCommand.command.node { options in { await options.run() } },
      FleetDevicesCommand.command.node { options in { await options.run() } },
      FleetHistoryCommand.command.node { options in { await options.run() } },
      FleetExportCommand.command.node { options in { await options.run() } },
      FleetImportCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna fleet list --search 'site:berlin -state:online'", "Which are not well?"),
      Example("luna fleet enroll --qr label.jpg --at 52.5186,13.3763", "A new gateway"),
    ],
    exitStatuses: ExitCode.clientStatuses)
}
