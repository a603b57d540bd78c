import CommandSpec

/// `luna tracker`: trackers in software.
enum TrackerCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "tracker", "Trackers in software that behave like real ones.",
    discussion: [
      "A tracker lives in a small file, its flash. luna tracker create makes one, luna tracker run "
        + "gives it power and puts it on the air, and ending that program is a power cut that the "
        + "tracker's clock survives. luna tracker export gives its keys to luna owner import."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      TrackerCreateCommand.command.node { options in { await options.run() } },
      TrackerRunCommand.command.node { options in { await options.run() } },
      TrackerListCommand.command.node { options in { await options.run() } },
      TrackerExportCommand.command.node { options in { await options.run() } },
      TrackerResetCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna tracker create keys", "Make a tracker with a new key"),
      Example("luna tracker run keys --radio exclusive -i hci1", "Put it on the air"),
    ],
    exitStatuses: ExitCode.statuses)
}
