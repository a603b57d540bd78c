import CommandSpec

/// `luna telemetry`: what programs record of themselves.
enum TelemetryCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "telemetry", "See, send and add to what Luna records of itself.",
    discussion: [
      "What is recorded waits in the file telemetry.data of the state directory until a backend has it. "
        + "luna finder --backend sends how the gateway is, unless --no-health is given. Which parts of Luna "
        + "are used is recorded only with telemetry-usage = yes at the top of a configuration file, or "
        + "LUNA_TELEMETRY_USAGE=yes. Addresses, identifiers, names, positions and paths never are.",
      "When 50,000 items wait, or 16 MiB, what appeared and disappeared goes first, then the oldest. What is "
        + "older than seven days goes, too.",
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      TelemetryStatusCommand.command.node { options in { await options.run() } },
      TelemetryFlushCommand.command.node { options in { await options.run() } },
      TelemetryLogCommand.command.node { options in { await options.run() } },
      TelemetryTimeCommand.command.node { options in { await options.run() } },
      TelemetryClearCommand.command.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna telemetry status", "What waits, and what was lost"),
      Example("luna telemetry log door.open", "Record an event, as luna.event.door.open"),
      Example("luna telemetry time backup -- tar -cf b.tar .", "Record how long something takes"),
    ],
    exitStatuses: ExitCode.clientStatuses)
}
