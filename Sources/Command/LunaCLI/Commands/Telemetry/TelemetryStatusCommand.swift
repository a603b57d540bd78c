import CommandSpec
import EventLoop
import Glibc
import LunaCore
import LunaDocuments
import LunaStore

/// `luna telemetry status`: what waits, and what was lost.
struct TelemetryStatusCommand: Sendable {
  var format: OutputFormat?
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "status", "Show what telemetry waits, what the backend did not want, and what was lost.",
    discussion: ["Works whether or not another program records or sends."],
    initial: TelemetryStatusCommand(),
    groups: [
      OptionGroup("Output", [OutputFormat.option(\.format, of: [.table, .jsonl])]),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna telemetry status", "For a person"),
      Example("luna telemetry status --format jsonl", "For a monitoring program"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let directory = StateDirectory(path: try state.path())
      // Without a queue nothing was recorded, which is no failure.
      let status =
        try await Blocking.run { () throws(DeviceStoreError) in
          try SQLiteTelemetryStore.status(in: directory)
        } ?? TelemetryQueueStatus()
      if format == .jsonl {
        TelemetryDocument.append(status, to: output)
      } else {
        for line in TelemetryText.lines(status, zone.times) { output.append(line: line) }
      }
      return .done
    }
  }
}
