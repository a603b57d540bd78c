import CommandSpec
import Glibc
import LunaDocuments
import LunaTelemetry

/// `luna telemetry clear`: drops what waits.
struct TelemetryClearCommand: Sendable {
  var format: OutputFormat?
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "clear", "Drop what telemetry waits, what the backend did not want, and the counts of losses.",
    initial: TelemetryClearCommand(),
    groups: [
      OptionGroup("Output", [OutputFormat.option(\.format, of: [.table, .jsonl])]),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna telemetry clear", "Send nothing of what was recorded so far")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let telemetry = Telemetry(TelemetryConfiguration(state: try state.path()))
      let count = await telemetry.clear()
      if let problem = await telemetry.save() { throw problem }
      if format == .jsonl {
        var writer = JSONFieldWriter("telemetryClear", in: output)
        writer.integer("cleared", Int64(count))
        writer.endLine()
      } else {
        output.append(line: "\(count) dropped")
      }
      return .done
    }
  }
}
