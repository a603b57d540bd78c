import ChildProcess
import CommandSpec
import Glibc
import LunaDocuments
import LunaTelemetry
import SafeText

/// `luna telemetry time`: records how long a program takes.
struct TelemetryTimeCommand: Sendable {
  var name = ""
  var words: [String] = []
  var telemetry = TelemetryOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "time", "Run a program, and record how long it takes.",
    discussion: [
      "It is recorded in milliseconds as ROOT.operation.NAME, whatever the program ends with; not when the "
        + "machine slept meanwhile. The exit code is the program's: 128 and the number of the signal that "
        + "ended it, 127 when there is no such program, 126 when it cannot be run. What cannot be recorded is "
        + "told on standard error."
    ],
    initial: TelemetryTimeCommand(),
    arguments: [
      .required("NAME", "What is measured", \.name, .text),
      .repeated("COMMAND", "The program and its arguments, after --", atLeast: 1, \.words, .text),
    ],
    groups: [
      TelemetryOptions.group(sends: false).scoped(to: \.telemetry),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna telemetry time backup -- tar -cf b.tar .", "How long a backup takes")
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let telemetry = Telemetry(
        root: telemetry.root, TelemetryConfiguration(state: try state.path()))
      // What is wrong with the name is said before anything runs.
      let status = try await telemetry.within {
        let context = TelemetryContext.current
        try context.beginTimedOperation(operation: name, cancelOn: [.suspend])
        let status = await runProgram()
        if status != nil { context.finishTimedOperation(operation: name) }
        return status
      }
      if let problem = await telemetry.save() {
        general.diagnostics.warning("luna: the time was not recorded: \(problem)")
      }
      Main.end(status ?? 127)
    }
  }

  /// - Returns: what the program ended with; nil when it never ran.
  private func runProgram() async -> Int32? {
    do throws(ProgramRun.Failure) {
      return try await ForegroundProgram.run(words) { process in
        // A terminal tells both of Ctrl-C; whoever ends us means the program.
        SignalWatcher.watch { number in
          if number != SIGINT { kill(process, number) }
        }
      }
    } catch {
      general.diagnostics.warning(
        "luna: cannot run \(ForeignText(words.first ?? "")): \(String(cString: strerror(error.code)))"
      )
      if error.code != ENOENT { Main.end(126) }
      return nil
    }
  }
}
