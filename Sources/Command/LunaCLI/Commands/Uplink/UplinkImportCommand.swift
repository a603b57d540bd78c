import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import Gzip
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaJSON
import LunaProtocol
import LunaStore
import LunaUplink
import UplinkProtocol

/// `luna uplink results import`: keeps what a client of Wehe's measured.
struct UplinkImportCommand: Sendable {
  var path = ""
  var output = OutputOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "import", "Store the samples of a client of Wehe's as a result.",
    discussion: [
      "The file holds the samples of one replay, [[Mbit/s,...],[seconds,...]], or of both: "
        + "{\"original\":...,\"control\":...}. Both are judged by the rule of the app for iPhones. "
        + "Prints the id of the result; as JSON lines, all of it."
    ],
    initial: UplinkImportCommand(),
    arguments: [.required("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna uplink results import samples.json", "Keep it beside your own")],
    exitStatuses: ExitCode.uplinkStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let file = try await ReplayFile.read(path)
      let random: InlineArray<8, UInt8> = try SecureRandom.bytes()
      let (id, now) = (Hex.lower(random.span), Timestamp.now)
      var document: JSONObject = [
        "type": "uplink", "id": .string(id), "time": .string(now.rfc3339), "imported": true,
      ]
      var samples = file.original.json
      if let control = file.control {
        samples = ["original": samples, "control": control.json]
        let judgement = try UplinkSamples.judge(file.original, control, .ios)
        document.append("verdict", .string(judgement.verdict.rawValue))
        document.append("original", .object(judgement.members))
      }
      document.append("simulated", false)
      guard let compressed = Gzip.deflate(samples.bytes) else {
        throw CommandFailure(.lost, "there is no memory to compress the samples")
      }
      let record = UplinkRecord(
        id: id, time: now, document: JSONValue.object(document).description, samples: compressed)
      let directory = StateDirectory(path: try state.path())
      try await Blocking.run { () throws(DeviceStoreError) in
        try UplinkStore(in: directory).add(record)
      }
      output.append(line: format == .jsonl ? record.document : id)
      return .done
    }
  }
}
