import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaStore
import LunaTelemetry

/// `luna telemetry flush`: sends what waits now.
struct TelemetryFlushCommand: Sendable {
  var format: OutputFormat?
  var client = ClientOptions()
  var telemetry = TelemetryOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "flush", "Send what telemetry waits now.",
    discussion: [
      "A program that is sending just now is waited for. What the backend does not want is set aside, and "
        + "stops nothing else. The exit code is 9 when something was not sent, 7 when the disk is full, and 6 "
        + "when another program was sending for too long."
    ],
    initial: TelemetryFlushCommand(),
    groups: [
      OptionGroup("Output", [OutputFormat.option(\.format, of: [.table, .jsonl])]),
      ClientOptions.group(.gateway, signsIn: true).scoped(to: \.client),
      TelemetryOptions.group().scoped(to: \.telemetry),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna telemetry flush --backend https://luna.example", "With this gateway's token"),
      Example(
        "luna telemetry flush --backend https://luna.example --sign-in",
        "As who has signed in with luna login"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.client.backend != nil else {
        throw ValueProblem(
          "needs --backend", remedy: "name the backend with --backend https://HOST")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let directory = try state.path()
      let telemetry = Telemetry(
        root: telemetry.root, try client.telemetry(telemetry, state: directory))
      let report = await telemetry.flush()
      if format == .jsonl {
        TelemetryDocument.append(report, to: output)
      } else {
        output.append(line: TelemetryText.line(report))
      }
      // What was sent is told whatever stopped the rest.
      try output.flush()
      if let problem = await telemetry.save() { throw problem }
      if let problem = report.problem { throw CommandFailure(problem) }
      if report.isSignedOut {
        throw CommandFailure(
          .backend, "nobody is signed in: nothing was sent", hint: "luna login signs in")
      }
      return .done
    }
  }
}
