import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaProtocol
import LunaTracker
import TrackerMachine

/// `luna tracker create`: a new tracker.
struct TrackerCreateCommand: Sendable {
  var name = ""
  var isOnboardable = false
  var codePath: String?
  var overwrites = false
  var state = StateOption()
  var clock = ClockOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "create", "Make a tracker in software.",
    discussion: [
      "Without --onboardable, the tracker has a new random key, as if it had just been "
        + "onboarded; luna tracker export writes the key for its owner. With --onboardable, it "
        + "is in factory state and waits to be onboarded; its code, which a real tracker has "
        + "on its label, is printed or, with --code-file, written to a file that only you can "
        + "read. luna tracker list --codes shows the code again."
    ],
    initial: TrackerCreateCommand(),
    arguments: [.required("NAME", "The name of the tracker", \.name, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("onboardable", "Leave it in factory state, and print its code", \.isOnboardable),
          .value(
            "code-file", "FILE", "Like --onboardable, but write the code to FILE (mode 0600)",
            \.codePath, .file),
          .flag("force", "Overwrite an existing file", \.overwrites),
        ]),
      ClockOptions.group.scoped(to: \.clock), ZoneOptions.group.scoped(to: \.zone),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker create keys", "With a key"),
      Example("luna tracker create --onboardable box", "As it comes out of its box"),
      Example("luna tracker create --code-file box.code box", "The same, for luna onboard"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try options.clock.check(options.zone) })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let flash = try TrackerFlash(name: name, state: try state.path())
      if let codePath { try OutputFile.check(codePath, replacing: overwrites) }
      let code = try OnboardingCode(SecureRandom.secret(count: OnboardingCode.byteCount))
        .unwrapped()
      var record = TrackerRecord(code: code)
      let isOnboardable = isOnboardable || codePath != nil
      if !isOnboardable {
        let now = clock.time(zone).time(at: Timestamp.now.unixMilliseconds)
        record = TrackerRecord(
          code: code,
          ownership: TrackerRecord.Ownership(
            uuid: DeviceUUID(random: try SecureRandom.bytes()),
            masterKey: try MasterKey(SecureRandom.secret(count: MasterKey.byteCount)).unwrapped(),
            onboardingTimestamp: UInt32(clamping: now / 1000)))
      }
      try flash.create(FlashImage(record: record))
      var writer = JSONFieldWriter("created", in: output)
      TrackerDocument.write(name, record, to: &writer)
      if let codePath {
        var bytes = Array("\(code.revealed)\n".utf8)
        defer { wipe(&bytes) }
        do {
          try OutputFile.writeSecret(bytes, to: codePath, replacing: overwrites)
        } catch {
          // Nobody has its code, and its name would be taken.
          try? flash.withdraw()
          throw error
        }
      } else if isOnboardable {
        writer.string("code", code.revealed)
      }
      writer.endLine()
      return .done
    }
  }
}

extension Optional {
  /// The value of what is nil only for a wrong length, where the length is right.
  fileprivate func unwrapped() throws(CommandFailure) -> Wrapped {
    guard let self else { throw CommandFailure(.lost, "the random number generator failed") }
    return self
  }
}
