import CommandSpec
import Glibc
import LunaCrypto
import LunaDocuments
import LunaProtocol
import LunaTracker
import TrackerMachine

/// `luna tracker reset`: what ten seconds of button do.
struct TrackerResetCommand: Sendable {
  var names: [String] = []
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "reset", "Reset trackers to factory state.",
    discussion: [
      "The tracker forgets its owner, as if its button had been held for 10 s. Its code is "
        + "printed, so that it can be onboarded again. It must not be running."
    ],
    initial: TrackerResetCommand(),
    arguments: [.repeated("NAME", "The names of the trackers", atLeast: 1, \.names, .text)],
    groups: [StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general)],
    examples: [Example("luna tracker reset keys", "Forget the owner")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let directory = try state.path()
      for name in names {
        let flash = try TrackerFlash(name: name, state: directory)
        let lock = try flash.lock()
        defer { lock.release() }
        let record = TrackerRecord(code: try flash.load().record.code)
        try flash.store(FlashImage(record: record))
        var writer = JSONFieldWriter("reset", in: output)
        TrackerDocument.write(name, record, to: &writer)
        writer.string("code", record.code.revealed)
        writer.endLine()
      }
      return .done
    }
  }
}
