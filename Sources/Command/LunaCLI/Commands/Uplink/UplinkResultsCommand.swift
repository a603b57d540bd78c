import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import LunaCore
import LunaDocuments
import LunaStore
import LunaUplink
import UplinkProtocol

/// `luna uplink results`: what is stored.
struct UplinkResultsCommand: Sendable {
  var id: String?
  var form: UplinkExport.Form?
  var forgets = false
  var output = OutputOptions()
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "results", "Show the stored results, and judge the samples of others.",
    discussion: [
      "The newest thousand results are kept, for 400 days; the newest one is printed first. With an ID, that "
        + "result alone, or what it was made of: --as csv has a row for each sample, --as svg is a picture, "
        + "--as wehe is the file that luna uplink results import reads."
    ],
    initial: UplinkResultsCommand(),
    arguments: [.optional("ID", "The result of this id alone", \.id, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("as", "FORM", "Write the result ID as json, csv, svg or wehe", \.form, .choice),
          .flag("forget", "Forget all results; who makes the checks stays", \.forgets),
        ], exclusive: [["as", "forget"]]),
      OutputOptions.group.scoped(to: \.output),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink results", "The stored results"),
      Example("luna uplink results 0123456789abcdef --as csv", "The samples of one of them"),
      Example(
        "luna uplink results judge original.json control.json --rule java",
        "What the client in Java would say"),
    ],
    exitStatuses: ExitCode.uplinkStatuses,
    check: { options throws(ValueProblem) in
      guard options.form == nil || options.id != nil else {
        throw ValueProblem("--as writes one result", remedy: "give its ID")
      }
      guard !options.forgets || options.id == nil else {
        throw ValueProblem("--forget forgets all results", remedy: "leave out the ID")
      }
    })

  /// Those that a result has once; what it has of many, such as its slots, is in the lines of JSON.
  private static let fields = [
    "id", "time", "profile", "direction", "server", "verdict", "reason", "ratio", "low", "high",
    "p", "pairs", "detectable", "located", "matched", "bytes", "seconds", "imported", "simulated",
  ]

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let directory = StateDirectory(path: try state.path())
      if forgets {
        let count = try await Blocking.run { () throws(DeviceStoreError) -> Int in
          try UplinkStore(in: directory.looking(for: UplinkStore.fileName)).forget()
        }
        general.diagnostics.note("luna: \(count) \(count == 1 ? "result is" : "results are") gone")
        return .done
      }
      let (now, id) = (Timestamp.now, id)
      let records = try await Blocking.run { () throws(DeviceStoreError) -> [UplinkRecord] in
        let store = try UplinkStore(in: directory.looking(for: UplinkStore.fileName))
        // Whoever cannot write may still read.
        try? store.expire(at: now)
        var records: [UplinkRecord] = []
        if let id {
          if let record = try store.record(id) { records = [record] }
        } else {
          records = try store.records()
        }
        return records.filter { UplinkStore.isShown($0, at: now) }
      }
      guard id != nil else {
        list(records, format, output)
        return .done
      }
      guard let record = records.first else {
        throw CommandFailure(
          .notFound, "there is no such result", hint: "luna uplink results lists those there are")
      }
      if let form {
        for line in try UplinkExport.lines(record, form) { output.append(line: line) }
      } else if format != .table {
        list(records, format, output)
      } else {
        output.append(line: "\(zone.times.moment(record.time))  \(record.id)")
        for line in ResultText(record.document).lines { output.append(line: line) }
      }
      return .done
    }
  }

  private func list(_ records: [UplinkRecord], _ format: OutputFormat, _ output: OutputBuffer) {
    func append(to lines: OutputBuffer) {
      for record in records { lines.append(line: record.document) }
    }
    switch format {
    case .jsonl: append(to: output)
    case .csv: CSVRows.append(Self.fields, to: output, of: append)
    case .table:
      for record in records {
        let (time, text) = (zone.times.moment(record.time), ResultText(record.document))
        output.append(line: "\(time)  \(record.id)  \(text.verdict)  \(text.subject)")
      }
    }
    if records.isEmpty { general.diagnostics.note("luna: there are no results yet") }
  }
}
