import Diagnosis
import Luna
import LunaBuzzer
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol

/// `luna buzz` for LunaTrackers.
struct Buzzing {
  let session: NearSession

  init(_ session: NearSession) { self.session = session }

  func run(
    _ options: BuzzCommand, _ packages: [ControlPackage]?
  ) async throws -> NearSession.Result {
    let (printer, target) = (session.printer, session.target)
    let shared = try await shared(options)
    let device = try await device(hasPackages: shared != nil || packages != nil)
    let progress: LunaBuzzer.ProgressHandler = { printer.progress("buzz", target, $0) }
    let buzzer = session.luna.buzzer()
    let receipt: ControlReceipt
    if let shared {
      receipt = try await session.luna.ring(
        device, sharedAs: shared, limits: session.limits, progress: progress,
        waits: { [diagnostics = session.diagnostics] pause in
          let seconds = DecimalText.text(Int64(pause / .milliseconds(1)), digits: 3)
          diagnostics.note(
            "luna: this ring was used already, as the tracker says; the next one is in \(seconds) s"
          )
        })
    } else if let packages {
      receipt = try await buzzer.deliver(
        packages, to: device, limits: session.limits, progress: progress)
    } else if options.stops {
      receipt = try await buzzer.send(
        .buzzStop, to: device, limits: session.limits, progress: progress)
    } else {
      receipt = try await buzzer.buzz(
        device, seconds: options.seconds ?? ControlCommand.defaultSeconds, limits: session.limits,
        progress: progress)
    }
    tell(receipt)
    return NearSession.Result(receipt: receipt)
  }

  /// A tracker that somebody else has shared; nil for others.
  ///
  /// - Throws: `OwnerError` where it cannot be rung.
  private func shared(_ options: BuzzCommand) async throws -> Device? {
    guard case .device(let device) = session.target, device.shared != nil else { return nil }
    _ = try await session.luna.owner().deferredPackages(
      options.stops ? .buzzStop : .buzzStart,
      argument: options.stops ? 0 : ControlCommand.defaultSeconds, for: device.uuid, from: .now,
      lasting: .seconds(60))
    return device
  }

  /// The tracker as it is followed.
  private func device(hasPackages: Bool) async throws -> LocalDevice {
    guard let device = await session.ear.followed(within: session.limits.silence) else {
      if Task.isCancelled { throw BuzzerError(.stopped, "stopped") }
      if let report = session.ear.lastReport {
        // Nobody is sent to --any for what obeys only the app of its maker.
        try StrangerWish.ring.check(report)
        throw BuzzerError(
          .notOffered, "\(session.target.label) was heard, but is not a LunaTracker",
          remedy: "luna buzz --any rings trackers of other makers")
      }
      throw BuzzerError(
        .notHeard, "no LunaTracker was heard at \(session.target.label)",
        remedy: "trackers change their address: luna local shows which one it has now")
    }
    guard device.uuid != nil || hasPackages else {
      throw BuzzerError(
        .noPackage, "the tracker at \(session.target.label) is not yours",
        remedy: "use --package with a package from its owner, or --any")
    }
    guard device.snapshot.kind.sends == .luna else {
      throw BuzzerError(
        .notOffered, "\(session.target.label) is not a LunaTracker", remedy: "try luna buzz --any")
    }
    return device
  }

  private func tell(_ receipt: ControlReceipt) {
    let elapsed = session.began.duration(to: .now)
    let seconds = ControlText.soundSeconds(receipt)
    let text = ControlText.delivered(receipt, to: session.target.label)
    session.printer.line("buzz", seconds == nil ? "done" : "buzzing", session.target, text) {
      writer, time in
      if let command = receipt.package.command { writer.string("command", command.name) }
      if let seconds { writer.integer("seconds", Int64(seconds)) }
      ControlDocument.write(receipt, to: &writer, time)
      ControlDocument.writeElapsed(elapsed, to: &writer)
    }
    if seconds != nil { session.printer.sounds(after: elapsed) }
  }
}
