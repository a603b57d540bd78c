import CommandSpec

/// `luna report`: location reports, sealed and opened.
enum ReportCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "report", "Seal and open location reports.", groups: [GeneralOptions.group.description],
    subcommands: [
      ReportSealCommand.command.node { options in { await options.run() } },
      ReportOpenCommand.command.node { options in { await options.run() } },
    ],
    exitStatuses: ExitCode.statuses)
}
