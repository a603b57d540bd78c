import Bluetooth
import Captures
import CommandSpec
import Glibc
import LunaDocuments

/// `luna capture`: writes what is in the air to a file, without decoding it.
struct CaptureCommand: Sendable {
  var rotation: CaptureRotation.Limit?
  var kept: Int?
  var listen = ListenOptions()
  var general = GeneralOptions()

  static let command = Command(
    "capture", "Record advertisements to a file, without decoding them.",
    discussion: [
      "The file name's extension sets the format: .btsnoop (Linux monitor format, as btmon "
        + "reads and writes) or .pcapng (for Wireshark and tshark). Each advertisement becomes "
        + "one HCI event. The file is complete after every batch, even if the program is "
        + "killed.",
      "With --rotate 1h the recording goes on in a new file at each full hour (UTC), with --rotate "
        + "100M before a file becomes larger than 100,000,000 bytes. The files are named by when they "
        + "begin: -w air.btsnoop makes air-20261123T150000Z.btsnoop, the first when something is heard. "
        + "With --keep 48 the oldest with such names are deleted once there are more.",
    ],
    initial: CaptureCommand(),
    groups: [
      OptionGroup(
        "Several files",
        [
          .value(
            "rotate", "TIME|SIZE", "Begin a new file each TIME (1h), or at SIZE (100M)", \.rotation,
            limitReader),
          .value(
            "keep", "N", "With --rotate: delete all but the last N files", \.kept, .integer(1...)),
        ]
      ).fromEnvironment("LUNA"),
      ListenOptions.group.scoped(to: \.listen),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna capture -w air.pcapng -T 1m", "Record a minute"),
      Example(
        "luna capture -w air.btsnoop --rotate 1h --keep 48", "The last two days, a file an hour"),
      Example("luna capture -r air.pcapng -w air.btsnoop", "Convert a recording for btmon"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { (options: CaptureCommand) throws(ValueProblem) in
      try options.listen.check(printsLines: false)
      if options.listen.writePath == nil {
        throw ValueProblem("--write is missing", remedy: "add -w FILE")
      }
      if options.kept != nil, options.rotation == nil {
        throw ValueProblem("--keep needs --rotate", remedy: "say when a new file begins")
      }
    })

  /// `1h`, `90m`: whole seconds; `500k`, `100M`, `2G`: bytes.
  private static var limitReader: ValueReader<CaptureRotation.Limit?> {
    ValueReader(expects: "a time such as 10m or 1h, or a size such as 500k, 100M or 2G") {
      text throws(ValueProblem) in
      let units: [Character: Int64] = ["k": 1000, "M": 1_000_000, "G": 1_000_000_000]
      if let last = text.last, let unit = units[last] {
        let digits = text.dropLast()
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
          let count = Int64(digits), count > 0
        else { throw ValueProblem("is no size") }
        return .bytes(count * unit)
      }
      let duration = try ValueReader<Duration>.duration.read(text)
      guard duration.components.attoseconds == 0, duration <= .seconds(366 * 86_400) else {
        throw ValueProblem("is no whole number of seconds, or more than a year")
      }
      return .seconds(duration.components.seconds)
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let run = ListenRun(
        source: try listen.makeListener(), isFile: listen.isFile, readPath: listen.readPath,
        duration: listen.duration, count: listen.count, recordingPath: listen.writePath,
        overwrites: listen.overwrites,
        rotation: rotation.map { CaptureRotation($0, keeping: kept) },
        diagnostics: general.diagnostics, onlyRecords: true)
      return try await run.run { _ in CountingSink() }
    }
  }
}
