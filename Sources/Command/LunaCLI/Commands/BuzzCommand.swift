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
      "For a tracker of your own, luna waits until it accepts a connection, which a "
        + "LunaTracker does once every 64 s, and tells it to sound. The tracker's answer is "
        + "verified before luna says that it sounds, and luna learns from it how far the "
        + "tracker's clock is off.",
      "--package delivers a package that the tracker's owner made with luna owner "
        + "packages: the one for the identifier that the tracker shows now. Only the owner can "
        + "verify the receipt.",
      "--any rings a tracker that isn't yours, for instance one that follows you. It uses "
        + "IETF DULT (which Google Find Hub accessories also speak), Apple's Find My, or the "
        + "AirTag's own service. Such trackers obey only while they are separated from their "
        + "owner. Ctrl-C stops the sound. A SmartTag, a Tile, or a tracker in the network of "
        + "Chipolo or Pebblebee obeys only the app of its maker; luna says so at once.",
      "luna scan --trackers shows the address that such a tracker has now; trackers change it. --any "
        + "--stop cannot stop what another connection began, as IETF DULT has it: Ctrl-C in the luna that "
        + "began it does, and it ends by itself within 30 s.",
    ],
    initial: BuzzCommand(),
    arguments: [
      .required(
        "DEVICE|ADDRESS", "A device's uuid, the start of it, or its name; or an address", \.target,
        .text)
    ],
    groups: [
      OptionGroup(
        "What to do",
        [
          .value("seconds", "N", "How many seconds it sounds", \.seconds, secondsReader)
            .defaulting(to: "12"),
          .flag("stop", "Stop the sound", \.stops),
          .value(
            "package", "FILE", "Deliver a control package from FILE (JSON); - is standard input",
            \.packageFile, .file),
          .flag("any", "Ring a tracker, even one that isn't yours", \.isAnyone),
        ],
        exclusive: [["seconds", "stop", "package"], ["package", "any"]])
    ] + NearOptions.groups.map { $0.scoped(to: \.near) },
    examples: [
      Example("luna buzz keys", "Where are my keys?"),
      Example("luna buzz keys --stop", "Stop: the keys are found"),
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
      target, near, prepare: { _ in try await options.packages() },
      work: { session, packages in
        do {
          if options.isAnyone { return try await Ringing(session).run(options) }
          return try await Buzzing(session).run(options, packages)
        } catch let error as BuzzerError {
          session.printer.failed("buzz", session.target, error)
          throw CommandFailure(error)
        }
      })
  }

  /// What is to be delivered; nil when the packages are made here.
  private func packages() async throws -> [ControlPackage]? {
    guard let packageFile else { return nil }
    return try ControlPackageFile.decode(try await InputFile.read(packageFile))
  }
}
