import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import LunaCore
import LunaDocuments
import LunaFinder
import LunaStore
import LunaTables
import TerminalTable

/// `luna finder status`: what is queued, and how long an outage may last.
struct FinderStatusCommand: Sendable {
  var format: OutputFormat?
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "status", "Show what a finder has queued, what it has lost, and how long an outage may last.",
    discussion: [
      "Works whether or not a finder is running. How long an outage may last is estimated "
        + "from the number of events per hour over the last day."
    ],
    initial: FinderStatusCommand(),
    groups: [
      OptionGroup(
        "Output",
        [
          OutputFormat.option(\.format, of: [.table, .jsonl])
        ]),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna finder status", "For a person"),
      Example("luna finder status --format jsonl", "For a monitoring program"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let directory = StateDirectory(path: try state.path())
      let status = try await Blocking.run { () throws(DeviceStoreError) in
        try SQLiteEventQueue.status(
          in: directory, fileName: LunaConfiguration().dataFilename, at: .now)
      }
      guard let status else {
        throw CommandFailure(
          .notFound, "there is no queue in \(directory.path)",
          hint: "luna finder makes it; --state DIR names another directory")
      }
      if format == .jsonl {
        QueueDocument.append(status, at: .now, to: output)
      } else {
        let rows = QueueText.rows(status, at: .now, zone.times)
        for line in PairLines.lines(rows, width: Terminal.standardOutputWidth) {
          output.append(line: line)
        }
      }
      return .done
    }
  }
}
