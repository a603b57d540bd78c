import Bluetooth
import CommandSpec
import LunaBuzzer
import LunaCore
import LunaProtocol

/// `luna buzz`: makes a tracker sound.
struct BuzzCommand: Sendable {
  var target = ""
  var seconds: UInt16?
  var stops = false
  var packageFile: String?
  var isAnyone = false
  var near = NearOptions()

  static let command = Command(
    "buzz", "Make a tracker sound.",
    discussion: [
      "One of your own is listened for, and told when it accepts a connection, which a LunaTracker "
        + "does once in 64 s. What it answers is verified: it sounds when that is said, and what "
        + "the answer tells of its clock is kept.",
      "--package delivers packages that the owner of a tracker has made with luna owner packages: "
        + "that which is for what the tracker shows now. Only the owner can verify the receipt.",
      "--any rings a tracker that is not yours, for instance one that follows you: by IETF DULT "
        + "(which Google Find Hub accessories speak too), by Apple's Find My network, or by the "
        + "AirTag's own service. They obey only while separated from their owner. Ctrl-C ends the "
        + "sound.",
    ],
    initial: BuzzCommand(),
    arguments: [
      .required("DEVICE|ADDRESS", "Uuid, its beginning, name, or the address now", \.target, .text)
    ],
    groups: [
      OptionGroup(
        "What to do",
        [
          .value("seconds", "N", "How long it is to sound", \.seconds, secondsReader)
            .defaulting(to: "12"),
          .flag("stop", "Stop the sound", \.stops),
          .value(
            "package", "FILE", "Deliver a control package of FILE (JSON); - is standard input",
            \.packageFile, .file),
          .flag("any", "Ring a tracker of somebody else, of any maker", \.isAnyone),
        ],
        exclusive: [["seconds", "stop", "package"], ["package", "any"]])
    ] + NearOptions.groups.map { $0.scoped(to: \.near) },
    examples: [
      Example("luna buzz keys", "Where are my keys?"),
      Example("luna buzz keys --stop", "Found"),
      Example("luna buzz --any C0:FF:EE:00:00:01", "What is following me?"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try options.near.check() })

  private static var secondsReader: ValueReader<UInt16?> {
    ValueReader<UInt16>.integer(1...60).map { $0 }
  }

  func run() async -> ExitCode {
    let options = self
    return await NearSession.run(
      target, near, prepare: { _ in try options.packages() }
    ) { session, packages in
      do {
        if options.isAnyone { return try await Ringing(session).run(options) }
        return try await Buzzing(session).run(options, packages)
      } catch let error as BuzzerError {
        session.printer.failed("buzz", session.target, error)
        throw CommandFailure(error)
      }
    }
  }

  /// What is to be delivered; nil when the packages are made here.
  private func packages() throws -> [ControlPackage]? {
    guard let packageFile else { return nil }
    return try ControlPackageFile.decode(try InputFile.read(packageFile))
  }
}
