import Bluetooth
import CommandSpec
import Glibc

/// `luna decode`: what bytes mean, without a radio.
struct DecodeCommand: Sendable {
  var inputs: [String] = []
  var events = false
  var address: BluetoothAddress?
  var general = GeneralOptions()

  static let command = Command(
    "decode", "Decode advertising data or HCI events given in hexadecimal.",
    discussion: [
      "Each input is the data of one advertisement or, with --hci, one HCI event (with or "
        + "without the leading 04 of H4). Without arguments, lines are read from standard "
        + "input. Spaces, colons and commas between the digits are ignored. The result for "
        + "each input is a JSON object on a line; for an input that is not hexadecimal, it has "
        + "an error member, and the command exits with 8."
    ],
    initial: DecodeCommand(),
    arguments: [.repeated("HEX", "Bytes in hexadecimal", \.inputs, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("hci", "The inputs are whole HCI events", \.events),
          .value(
            "address", "ADDRESS",
            "The random address the data came from; some families keep part of their data there",
            \.address, addressReader),
        ], exclusive: [["hci", "address"]]),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna decode 02010603030418", "One advertisement"),
      Example(
        "luna decode --hci 043e0f02010001010000eeffc003020106bd", "One event from a controller"),
      Example("luna decode < lines.txt", "Many, one per line"),
    ],
    exitStatuses: ExitCode.statuses)

  private static var addressReader: ValueReader<BluetoothAddress?> {
    ValueReader(expects: "an address such as C0:FF:EE:00:00:01") { text throws(ValueProblem) in
      guard let address = BluetoothAddress(text) else { throw ValueProblem("is no address") }
      return address
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      var code = ExitCode.done
      var input = stat()
      let isFile = fstat(STDIN_FILENO, &input) == 0 && input.st_mode & S_IFMT == S_IFREG
      func answer(_ text: String) throws {
        if !decode(text, to: output) { code = .unreadableInput }
        try output.flushIfLarge()
      }
      if inputs.isEmpty {
        while let line = readLine() {
          if !line.allSatisfy(\.isWhitespace) { try answer(line) }
          // Whoever writes into a pipe or a terminal may wait for each answer.
          if !isFile { try output.flush() }
        }
      } else {
        for input in inputs { try answer(input) }
      }
      return code
    }
  }

  /// Appends the answer to one input; false when it is no hexadecimal text.
  private func decode(_ text: String, to output: OutputBuffer) -> Bool {
    let digits = text.filter { !$0.isWhitespace && $0 != ":" && $0 != "," }
    output.append("{\"type\":\"decoded\"")
    defer { output.append("}\n") }
    var writer = JSONFieldWriter(output, continuing: true)
    guard let bytes = Hex.bytes(digits) else {
      writer.string("input", text)
      writer.string("error", "not hexadecimal: an even number of digits 0-9 and a-f is expected")
      return false
    }
    if events {
      decodeEvent(bytes, to: &writer)
    } else {
      decodeData(bytes, to: &writer)
    }
    return true
  }

  private func decodeData(_ bytes: [UInt8], to writer: inout JSONFieldWriter) {
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 0), adapter: nil,
      address: address ?? BluetoothAddress(value: 0),
      addressType: address == nil ? .absent : .random, payload: AdvertisingPayload(bytes), rssi: nil
    )
    writeReport(report, to: &writer)
  }

  /// One report's fields stand at the top level; several stand in `reports`.
  private func decodeEvent(_ bytes: [UInt8], to writer: inout JSONFieldWriter) {
    // The H4 indicator of an event, or whatever a tool put there instead, and the event code.
    let isIndicated =
      bytes.count > 1 && bytes[0] != HCIEventCode.leMeta && bytes[1] == HCIEventCode.leMeta
    let event = isIndicated ? Array(bytes.dropFirst()) : bytes
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    AdvertisingEventParser.parse(
      event: event.span, time: Timestamp(microseconds: 0), adapter: nil, into: &reports,
      counters: &counters)
    if reports.count == 1 {
      writeWhole(reports[0], to: &writer)
    } else {
      writer.hex("data", bytes.span)
      writer.beginItems("reports")
      for report in reports {
        writer.beginItem()
        writeWhole(report, to: &writer)
        writer.endItem()
      }
      writer.endItems()
    }
    if counters.overrunEvents > 0 { writer.boolean("truncatedEvent", true) }
  }

  private func writeWhole(_ report: AdvertisingReport, to writer: inout JSONFieldWriter) {
    AdvertisementDocument.writeHead(report, adapterName: nil, to: &writer)
    if let rssi = report.rssi { writer.integer("rssi", Int64(rssi)) }
    writeReport(report, to: &writer)
  }

  private func writeReport(_ report: AdvertisingReport, to writer: inout JSONFieldWriter) {
    report.payload.withBytes { bytes in
      writer.hex("data", bytes)
      writer.beginItems("structures")
      var reader = ADStructureReader()
      while let structure = reader.next(in: bytes) {
        writer.beginItem()
        writer.integer("type", Int64(structure.type))
        if let name = ADType(rawValue: structure.type).name { writer.string("name", name) }
        writer.hex("data", bytes.extracting(structure.range))
        writer.endItem()
      }
      writer.endItems()
      _ = AdvertisementDocument.writeDecoded(report, bytes, to: &writer)
    }
  }
}
