import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import LunaDocuments
import LunaTables
import SafeText
import TerminalTable

/// `luna decode`: what bytes mean, without a radio.
struct DecodeCommand: Sendable {
  var inputs: [String] = []
  var events = false
  var address: BluetoothAddress?
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "decode", "Decode advertising data or HCI events given in hexadecimal.",
    discussion: [
      "Each input is the data of one advertisement or, with --hci, one HCI event (with or "
        + "without the leading 04 of H4). Without arguments, or for -, lines are read from standard "
        + "input. Spaces, colons, commas and hyphens between the digits are ignored, and 0x in "
        + "front of them. On a terminal there is a line for each structure and for each thing that "
        + "they say. Else the result for each input is a JSON object on a line; for an input that "
        + "is not hexadecimal, it has an error member. The command exits with 8 then."
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
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
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
      let isTable = OutputFormat.chosen(self.output.format) == .table
      var isFirst = true
      func answer(_ text: String) throws {
        if isTable, !isFirst { output.append(line: "") }
        isFirst = false
        let isGood = isTable ? show(text, on: output) : decode(text, to: output)
        if !isGood { code = .unreadableInput }
        try output.flushIfLarge()
      }
      // A hyphen between digits is ignored: alone it would be an advertisement without data.
      if inputs.isEmpty || inputs == ["-"] {
        var lines = InputLines(STDIN_FILENO)
        while let lines = await lines.next() {
          for line in lines where !line.allSatisfy(\.isWhitespace) { try answer(line) }
          // Whoever writes into a pipe or a terminal may wait for each answer.
          if !isFile { try output.flush() }
        }
        guard lines.failure == 0 else {
          throw CommandFailure(
            ExitCode(reading: lines.failure),
            "standard input cannot be read: \(ErrorText.of(lines.failure))")
        }
      } else {
        for input in inputs { try answer(input) }
      }
      return code
    }
  }

  private static let refusal =
    "not hexadecimal: an even number of digits 0-9 and a-f is expected"

  /// As phones, sources and other programs write them: 0x02010603, or 0x02, 0x01, or 02-01.
  private func bytes(of text: String) -> [UInt8]? {
    var digits = ""
    for part in text.split(whereSeparator: { $0.isWhitespace || ":,-".contains($0) }) {
      guard part.hasPrefix("0x") || part.hasPrefix("0X") else {
        digits += part
        continue
      }
      // 0x6 is a byte, not half of one, and what follows is not its other half.
      guard part.utf8.count.isMultiple(of: 2) else { return nil }
      digits += part.dropFirst(2)
    }
    return Hex.bytes(digits)
  }

  /// The same for people.
  private func show(_ text: String, on output: OutputBuffer) -> Bool {
    guard let bytes = bytes(of: text) else {
      output.append(line: "\(ForeignText(text)): \(Self.refusal)")
      return false
    }
    guard events else {
      let report = DecodedDocument(data: bytes, address: address).report
      show(report, isWhole: false, on: output)
      return true
    }
    let (reports, isTruncated) = DecodedDocument.reports(ofEvent: bytes)
    for (index, report) in reports.enumerated() {
      if index > 0 { output.append(line: "") }
      show(report, isWhole: true, on: output)
    }
    if reports.isEmpty { output.append(line: "no advertising report") }
    if isTruncated { output.append(line: "the event says that it has more reports than it has") }
    return true
  }

  private func show(_ report: AdvertisingReport, isWhole: Bool, on output: OutputBuffer) {
    let width = Terminal.standardOutputWidth
    for line in DecodedText.lines(of: report, isWhole: isWhole, width: width) {
      output.append(line: line)
    }
  }

  /// Appends the answer to one input; false when it is no hexadecimal text.
  private func decode(_ text: String, to output: OutputBuffer) -> Bool {
    var writer = JSONFieldWriter("decoded", in: output)
    defer { writer.endLine() }
    guard let bytes = bytes(of: text) else {
      writer.string("input", text)
      writer.string("error", Self.refusal)
      return false
    }
    if events {
      DecodedDocument.write(event: bytes, to: &writer)
    } else {
      DecodedDocument(data: bytes, address: address).write(to: &writer)
    }
    return true
  }
}
