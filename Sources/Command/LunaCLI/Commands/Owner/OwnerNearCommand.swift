import CommandSpec
import Glibc
import Luna
import LunaBuzzer
import LunaCore
import LunaDocuments
import LunaLocal
import LunaOwner
import LunaProtocol

/// `luna owner ping`, `set-clock`, `here`, `blink` and `reset`: what an owner tells a tracker that is
/// near.
struct OwnerNearCommand: Sendable {
  /// A command, and how it is called.
  struct Verb: Sendable {
    let command: ControlCommand
    let name: String
    let abstract: String
    let discussion: String
    let example: String
  }

  var device = ""
  var seconds: UInt16?
  var isConfirmed = false
  var near = NearOptions()

  static let verbs = [
    Verb(
      command: .ping, name: "ping",
      abstract: "Check that a tracker is there, and read its clock.",
      discussion: "The clock in its verified answer is remembered.",
      example: "Is it really mine?"),
    Verb(
      command: .setClock, name: "set-clock",
      abstract: "Set a tracker's clock to this machine's.",
      discussion: "A tracker whose clock is off by many periods, or went backwards, is no longer "
        + "recognised by its identifiers. Make sure that this machine's clock is right. While somebody with "
        + "whom it is shared has rung it ahead of the time, luna says until when, and waits up to 35 minutes, "
        + "or as long as -T says.",
      example: "After its battery was changed"),
    Verb(
      command: .ownerHere, name: "here", abstract: "Tell a tracker that its owner is near.",
      discussion:
        "For 30 minutes, the tracker is then not separated: it changes its address together "
        + "with its identifiers again, and does not sound for strangers.",
      example: "Back home"),
    Verb(
      command: .blink, name: "blink", abstract: "Make a tracker blink.",
      discussion: "For trackers with a light.", example: "Which of the two is mine?"),
    Verb(
      command: .factoryReset, name: "reset", abstract: "Make a tracker forget its owner.",
      discussion:
        "Afterwards, the tracker waits to be onboarded. The device and its key are forgotten "
        + "here only once the tracker's verified answer says that it has obeyed. Without a "
        + "copy of the key, its past locations can never be read again. It asks first; where "
        + "there is no terminal to ask on, it needs --yes.",
      example: "Before you give it away"),
  ]

  static func node(_ verb: Verb) -> CommandNode<LunaCommand.Action> {
    command(verb).node { options in { await options.run(verb) } }
  }

  private static func command(_ verb: Verb) -> Command<OwnerNearCommand> {
    var own: [Option<OwnerNearCommand>] = []
    if verb.command == .blink {
      own.append(
        .value(
          "seconds", "N", "How many seconds it blinks", \.seconds,
          ValueReader<UInt16>.integer(1...60).map { $0 }
        ).defaulting(to: "12"))
    }
    if verb.command == .factoryReset {
      own.append(.flag("yes", short: "y", "Do not ask", \.isConfirmed))
    }
    let groups = own.isEmpty ? [] : [OptionGroup("What to do", own)]
    return Command(
      verb.name, verb.abstract,
      discussion: [
        verb.discussion
          + " The tracker has to be near; it accepts connections once every 64 s, and luna "
          + "waits for that."
      ],
      initial: OwnerNearCommand(),
      arguments: [
        .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
      ],
      groups: groups + NearOptions.groups.map { $0.scoped(to: \.near) },
      examples: [Example("luna owner \(verb.name) keys", verb.example)],
      exitStatuses: ExitCode.statuses,
      check: { options throws(ValueProblem) in try options.near.check() })
  }

  func run(_ verb: Verb) async -> ExitCode {
    let options = self
    return await NearSession.run(
      device, near, prepare: { try await options.prepare(verb, $0) },
      work: { session, _ in
        do {
          return try await options.run(verb, session)
        } catch let error as BuzzerError {
          session.printer.failed("command", session.target, error)
          throw CommandFailure(error)
        }
      })
  }

  /// Refuses what cannot be done, and asks before what cannot be undone.
  private func prepare(_ verb: Verb, _ target: TrackerTarget) async throws(CommandFailure) {
    guard case .device(let device) = target else {
      throw CommandFailure(
        .usage, "luna owner \(verb.name) takes one of your devices, not an address",
        hint: "luna owner list shows them")
    }
    guard device.masterKey != nil else {
      throw CommandFailure(
        .notFound, "\(device.name) is not a LunaTracker (\(device.keys.kind.rawValue))",
        hint: "it can only be followed")
    }
    if verb.command == .factoryReset, !isConfirmed {
      try await Confirmation.ask(
        "Reset \(device.name) and forget its key?", for: "luna owner reset")
    }
  }

  private func run(
    _ verb: Verb, _ session: NearSession
  ) async throws -> NearSession.Result {
    guard case .device(let device) = session.target,
      let local = await session.ear.followed(within: session.limits.silence)
    else { throw BuzzerError(.stopped, "stopped") }
    let (printer, target) = (session.printer, session.target)
    let argument = verb.command == .blink ? seconds ?? ControlCommand.defaultSeconds : 0
    let progress: LunaBuzzer.ProgressHandler = { printer.progress("command", target, $0) }
    let receipt =
      try await verb.command == .setClock
      ? setClock(of: local, session, progress)
      : session.luna.buzzer().send(
        verb.command, argument: argument, to: local, limits: session.limits, progress: progress)
    let text = ControlText.done(verb.command, receipt, by: device.name)
    printer.line("command", "done", target, text) { writer, time in
      writer.string("command", verb.command.name)
      ControlDocument.write(receipt, to: &writer, time)
      ControlDocument.writeElapsed(session.began.duration(to: .now), to: &writer)
    }
    guard verb.command == .factoryReset else {
      return NearSession.Result(receipt: receipt)
    }
    guard receipt.verified != nil else { return NearSession.Result(code: .notFound) }
    try await session.luna.owner().forgetDevice(device)
    session.diagnostics.note("luna: \(device.name) is forgotten")
    return NearSession.Result()
  }

  /// The longest time by which a ring that was shared can be ahead, and a little for the tracker's clock.
  private static let patience = Duration.seconds(2 * 1024 + 60)

  private func setClock(
    of local: LocalDevice, _ session: NearSession, _ progress: @escaping LunaBuzzer.ProgressHandler
  ) async throws -> ControlReceipt {
    let clock = near.radio.zone.clock
    let total = session.total.map { $0 - session.began.duration(to: .now) }
    return try await session.luna.buzzer().setClock(
      of: local, patience: total ?? OwnerNearCommand.patience, limits: { session.limits },
      progress: progress,
      waits: { time in
        session.printer.line("command", "waiting", session.target, nil) { writer, text in
          writer.string("until", text(time))
        }
        session.diagnostics.note(
          "luna: the clock can be set from \(clock.dateAndTime(time)) (\(clock.zoneName)) on: a ring "
            + "had a counter that is ahead of the time; waiting")
      })
  }
}
