import CommandSpec
import Glibc
import Luna
import LunaDocuments
import LunaProtocol
import LunaTracker
import TrackerMachine
import TrackerSimulation

/// `luna tracker list`: a line for each tracker.
struct TrackerListCommand: Sendable {
  var radio: RadioName?
  var showsCodes = false
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the trackers in software.",
    discussion: [
      "Each tracker is a JSON object on a line, without its keys. A tracker whose flash "
        + "cannot be read is named on standard error, and the command exits with 8.",
      "--codes adds the code that a real tracker has on its label: whoever knows it can "
        + "onboard the tracker while it is in factory state. Give it to luna onboard in a file.",
      "With --radio virtual:SEED, the trackers are those in the simulated room, whose "
        + "codes follow from the seed and are not secret. They are like new whenever the room "
        + "is opened.",
    ],
    initial: TrackerListCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("codes", "Also print the onboarding codes", \.showsCodes),
          .value(
            "radio", "virtual[:SEED]", "Use the trackers in the simulated room", \.radio,
            RadioName.roomReader),
        ]),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker list", "All trackers"),
      Example("luna tracker list --codes", "With the codes on their labels"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      if case .virtual(let seed)? = radio {
        for tracker in try DemoTracker.all(seed: seed) {
          append(tracker.name, tracker.record, to: output)
        }
        return .done
      }
      let directory = try state.path()
      var code = ExitCode.done
      for name in try TrackerFlash.names(in: directory) {
        do throws(TrackerError) {
          let image = try TrackerFlash(name: name, state: directory).load()
          append(name, image.record, to: output)
        } catch {
          general.diagnostics.error(CommandFailure(error))
          code = .unreadableInput
        }
      }
      return code
    }
  }

  private func append(_ name: String, _ record: TrackerRecord, to output: OutputBuffer) {
    var writer = JSONFieldWriter("tracker", in: output)
    TrackerDocument.write(name, record, to: &writer)
    if showsCodes { writer.string("code", record.code.revealed) }
    writer.endLine()
  }
}
