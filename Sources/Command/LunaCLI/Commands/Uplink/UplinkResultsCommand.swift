import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import LunaCore
import LunaDocuments
import LunaStore

/// `luna uplink results`: what is stored.
struct UplinkResultsCommand: Sendable {
  var output = OutputOptions()
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "results", "Show the stored results, and judge the samples of others.",
    discussion: [
      "The newest thousand results are kept, for 400 days; the newest one is printed first."
    ],
    initial: UplinkResultsCommand(),
    groups: [
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink results", "The stored results"),
      Example(
        "luna uplink results judge original.json control.json --rule java",
        "What the client in Java would say"),
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let directory = StateDirectory(path: try state.path())
      let now = Timestamp.now
      let records = try await Blocking.run { () throws(DeviceStoreError) -> [UplinkRecord] in
        let store = try UplinkStore(in: directory)
        // Whoever cannot write may still read.
        try? store.expire(at: now)
        return try store.records()
      }
      let times = zone.times
      for record in records {
        output.append(
          line: format == .jsonl ? record.document : "\(times.moment(record.time))  \(record.id)")
      }
      if records.isEmpty { general.diagnostics.note("luna: there are no results yet") }
      return .done
    }
  }
}
