import CommandSpec
import Glibc
import LunaTracker

/// `luna tracker list`: a line for each tracker.
struct TrackerListCommand: Sendable {
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the trackers in software.",
    discussion: [
      "A JSON object on a line for each, without keys. A tracker whose flash cannot be read is "
        + "named on standard error, and the command ends with 8."
    ],
    initial: TrackerListCommand(),
    groups: [StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general)],
    examples: [Example("luna tracker list", "What there is")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, format: .jsonl, general.diagnostics).run {
      let directory = try state.path()
      var code = ExitCode.done
      for name in try TrackerFlash.names(in: directory) {
        do throws(TrackerError) {
          let image = try TrackerFlash(name: name, state: directory).load()
          output.append("{\"type\":\"tracker\"")
          var writer = JSONFieldWriter(output, continuing: true)
          writer.tracker(name, image.record)
          output.append("}\n")
        } catch {
          general.diagnostics.error(CommandFailure(error))
          code = .unreadableInput
        }
      }
      return code
    }
  }
}
