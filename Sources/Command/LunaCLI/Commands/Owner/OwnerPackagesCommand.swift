import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol

/// `luna owner packages`: commands that anyone near a tracker can deliver.
struct OwnerPackagesCommand: Sendable {
  var device = ""
  var hours: Int64 = 24
  var action = ControlCommand.buzzStart
  var seconds: UInt16?
  var time: GivenTime?
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "packages", "Make control packages for the coming hours.",
    discussion: [
      "There is one package for each period of 1024 seconds, all with the same counter: a "
        + "tracker executes one of them, and none made earlier. The counter is stored before a "
        + "package is printed. Each package is a JSON object on a line."
    ],
    initial: OwnerPackagesCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("hours", "N", "How many hours they are valid", \.hours, .integer(1...8784))
            .defaulting(to: "24"),
          .value("command", "NAME", "What the tracker does", \.action, actionReader)
            .defaulting(to: "buzzStart"),
          .value("seconds", "N", "How many seconds it sounds or blinks", \.seconds, secondsReader)
            .defaulting(to: "12"),
          .value("at", "TIME", ZoneOptions.help("When they become valid"), \.time, .time)
            .defaulting(to: "now"),
        ]),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner packages keys --hours 24", "Ring it when a gateway hears it"),
      Example("luna owner packages keys --command blink --seconds 5", "Make it blink"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.seconds == nil || [.buzzStart, .blink].contains(options.action) else {
        throw ValueProblem("--seconds goes with buzzStart and blink only")
      }
    })

  private static var actionReader: ValueReader<ControlCommand> {
    .choice([.buzzStart, .buzzStop, .blink, .ping].map { (Choice($0.name), $0) })
  }

  private static var secondsReader: ValueReader<UInt16?> {
    ValueReader<UInt16>.integer(1...60).map { $0 }
  }

  func run() async -> ExitCode {
    await OwnerSession.run(store, .jsonl, general) { session in
      let start = try zone.moment(time) ?? .now
      guard start.microseconds >= 0 else {
        throw CommandFailure(.usage, "there are no periods before 1970", hint: "give a later --at")
      }
      let found = try await session.owner.device(matching: device)
      let sounds = action == .buzzStart || action == .blink
      let packages = try await session.owner.deferredPackages(
        action, argument: sounds ? seconds ?? ControlCommand.defaultSeconds : 0, for: found.uuid,
        from: start, lasting: .seconds(hours * 3600), counterOf: min(start, .now))
      for package in packages {
        ControlDocument.append(package, of: action, to: session.output)
      }
      return .done
    }
  }
}
