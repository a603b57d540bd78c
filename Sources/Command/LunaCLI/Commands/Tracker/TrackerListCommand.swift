import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaDocuments
import LunaProtocol
import LunaTables
import LunaTracker
import TerminalTable
import TrackerMachine
import TrackerSimulation

/// `luna tracker list`: a line for each tracker.
struct TrackerListCommand: Sendable {
  var radio: RadioName?
  var showsCodes = false
  var output = OutputOptions()
  var zone = ZoneOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the trackers in software.",
    discussion: [
      "Keys are not shown. A tracker whose flash cannot be read is named on standard error, and the "
        + "command exits with 8.",
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
      OutputOptions.group.scoped(to: \.output),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker list", "All trackers"),
      Example("luna tracker list --codes", "With the codes on their labels"),
    ],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["tracker", "state", "device", "onboardingTimestamp"]

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      if case .virtual(let seed)? = radio {
        list(try DemoTracker.all(seed: seed).map { ($0.name, $0.record) }, to: output)
        return .done
      }
      let directory = try state.path()
      var code = ExitCode.done
      var trackers: [(name: String, record: TrackerRecord)] = []
      for name in try TrackerFlash.names(in: directory) {
        do throws(TrackerError) {
          let image = try TrackerFlash(name: name, state: directory).load()
          trackers.append((name, image.record))
        } catch {
          general.diagnostics.error(CommandFailure(error))
          code = .unreadableInput
        }
      }
      list(trackers, to: output)
      return code
    }
  }

  private func list(
    _ trackers: [(name: String, record: TrackerRecord)], to output: OutputBuffer
  ) {
    let heads: [ColumnTable.Column] = [
      .init(title: "NAME", minimum: 8), .init(title: "STATE"), .init(title: "DEVICE", minimum: 9),
      .init(title: zone.clock.head("ONBOARDED"), isOptional: true),
    ]
    Listing(
      fields: Self.fields + (showsCodes ? ["code"] : []),
      columns: heads + (showsCodes ? [.init(title: "CODE")] : [])
    ).append(
      trackers.count, as: OutputFormat.chosen(self.output.format).ofList, to: output,
      line: { append(trackers[$0].name, trackers[$0].record, to: $1) },
      cells: { cells(trackers[$0].name, trackers[$0].record) })
  }

  private func cells(_ name: String, _ record: TrackerRecord) -> [String] {
    [
      name, record.state.name.description, record.ownership?.uuid.description ?? "-",
      record.ownership.map {
        zone.clock.dateAndTime(
          Timestamp(microseconds: Int64($0.onboardingTimestamp) * 1_000_000))
      } ?? "-",
    ] + (showsCodes ? [record.code.revealed] : [])
  }

  private func append(_ name: String, _ record: TrackerRecord, to output: OutputBuffer) {
    var writer = JSONFieldWriter("tracker", in: output)
    TrackerDocument.write(name, record, to: &writer)
    if showsCodes { writer.string("code", record.code.revealed) }
    writer.endLine()
  }
}
