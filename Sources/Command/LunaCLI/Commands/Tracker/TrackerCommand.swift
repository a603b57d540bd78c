import CommandSpec

/// `luna tracker`: trackers in software.
enum TrackerCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "tracker", "Run trackers in software that behave like real ones.",
    discussion: [
      "A tracker lives in a small file, its flash. luna tracker create makes one. luna "
        + "tracker run powers it up and puts it on the air; ending that program is a power "
        + "cut, which the tracker's clock survives. luna tracker export writes its keys for "
        + "luna owner import."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      TrackerCreateCommand.command.node { options in { await options.run() } },
      TrackerRunCommand.command.node { options in { await options.run() } },
      TrackerListCommand.command.node { options in { await options.run() } },
      TrackerExportCommand.command.node { options in { await options.run() } },
      TrackerLabelCommand.command.node { options in { await options.run() } },
      TrackerResetCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna tracker create keys", "Make a tracker with a new key"),
      Example("luna tracker run keys --radio exclusive -i hci1", "Put it on the air"),
    ],
    exitStatuses: ExitCode.statuses)
}
