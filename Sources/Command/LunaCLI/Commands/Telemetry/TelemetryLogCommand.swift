import CommandSpec
import Glibc
import LunaDocuments
import LunaTelemetry

/// `luna telemetry log`: records an event.
struct TelemetryLogCommand: Sendable {
  var key = ""
  var value: String?
  var telemetry = TelemetryOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "log", "Record an event.",
    discussion: [
      "It is recorded as ROOT.event.KEY, and on the disk when the command ends. The same key and value are "
        + "counted up for five seconds. KEY has parts of up to 64 letters, digits, - and _, joined by dots; "
        + "spaces become _. VALUE has at most 64 characters."
    ],
    initial: TelemetryLogCommand(),
    arguments: [
      .required("KEY", "What happened", \.key, .text),
      .optional("VALUE", "How much, or which of a few; else 1", \.value, .text),
    ],
    groups: [
      TelemetryOptions.group(sends: false).scoped(to: \.telemetry),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna telemetry log door.open", "An event"),
      Example("luna telemetry log battery 83", "A number"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let telemetry = Telemetry(
        root: telemetry.root, TelemetryConfiguration(state: try state.path()))
      try await telemetry.log("event.\(key)", value: value ?? "1")
      return .done
    }
  }
}
