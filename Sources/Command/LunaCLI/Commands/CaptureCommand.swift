import Bluetooth
import CommandSpec
import Glibc
import LunaDocuments

/// `luna capture`: writes what is in the air to a file, without decoding it.
struct CaptureCommand: Sendable {
  var listen = ListenOptions()
  var general = GeneralOptions()

  static let command = Command(
    "capture", "Record advertisements to a file, without decoding them.",
    discussion: [
      "The file name's extension sets the format: .btsnoop (Linux monitor format, as btmon "
        + "reads and writes) or .pcapng (for Wireshark and tshark). Each advertisement becomes "
        + "one HCI event. The file is complete after every batch, even if the program is "
        + "killed."
    ],
    initial: CaptureCommand(),
    groups: [
      ListenOptions.group.scoped(to: \.listen),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna capture -w air.pcapng -T 1m", "Record a minute"),
      Example("luna capture -r air.pcapng -w air.btsnoop", "Convert a recording for btmon"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { (options: CaptureCommand) throws(ValueProblem) in
      try options.listen.check()
      if options.listen.writePath == nil {
        throw ValueProblem("--write is missing", remedy: "add -w FILE")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let run = ListenRun(
        source: try listen.makeListener(), isFile: listen.isFile, readPath: listen.readPath,
        duration: listen.duration, count: listen.count, recordingPath: listen.writePath,
        overwrites: listen.overwrites,
        diagnostics: general.diagnostics)
      return try await run.run { _ in CountingSink() }
    }
  }
}
