import Bluetooth
import Diagnosis
import LunaProtocol

/// Delivers one command to one tracker: takes what happens and says what to do next. It waits until
/// the tracker accepts connections, connects again when a connection breaks, and gives up when the
/// time is over.
struct ControlMachine: Sendable {
  /// Between attempts; the last one counts for all further ones. The first comes at once.
  static let pauses: [Duration] = [
    .zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4),
  ]
  /// Until a tracker that is busy is asked again.
  static let busyPause = Duration.seconds(2)

  /// What it waits for.
  private enum Phase: Sendable {
    case listening, connecting, subscribing, challenging, making, writing, awaiting, pausing
    case leaving(Next)
    case over
  }

  /// What comes after the connection is gone.
  private enum Next: Sendable {
    case again(Duration)
    case finish(ControlAction.Outcome)
  }

  let request: ControlRequest
  let limits: BuzzerLimits

  private var phase = Phase.listening
  private var target: HeardTarget?
  private var package: ControlPackage?
  /// Attempts to connect so far.
  private(set) var attempts = 0
  /// Whether a package went out whose answer was lost.
  private var mayHaveArrived = false
  /// Whether an answer that a challenge may have run out was given before.
  private var wasUnauthorized = false
  /// When the device was heard last.
  private var heardAt = Duration.zero
  private var lastFailure: BuzzerError?
  /// What the tracker itself said or did not say last, which tells more.
  private var lastAnswer: BuzzerError?

  init(_ request: ControlRequest, limits: BuzzerLimits) {
    self.request = request
    self.limits = limits
  }

  /// The first action.
  func start() -> ControlAction { .listen }

  /// How long can be listened in vain before it has to be asked again.
  func patience(at elapsed: Duration) -> Duration {
    max(.zero, min(limits.total, heardAt + limits.silence) - elapsed)
  }

  /// Takes an event.
  ///
  /// - Parameter elapsed: the time since the start.
  mutating func handle(_ event: ControlEvent, at elapsed: Duration) -> ControlAction {
    switch (phase, event) {
    case (.over, _): return .finish(.failed(.stopped))
    case (.leaving(let next), _): return leave(next, at: elapsed)
    case (.listening, .stop), (.pausing, .stop), (.connecting, .stop):
      return finish(.failed(.stopped))
    case (_, .stop): return disconnect(.finish(.failed(.stopped)))
    case (.listening, .heard(let heard)): return approach(heard, at: elapsed)
    case (.listening, .silence):
      let isSilent = elapsed - heardAt >= limits.silence
      return isSilent ? finish(overdue(isSilent: true)) : listen(at: elapsed)
    case (.pausing, _): return listen(at: elapsed)
    case (_, .failed(let error)): return retreat(after: error, at: elapsed)
    case (.connecting, .connected(let hasControl, let hasChallenge)):
      guard hasControl, hasChallenge || !isInteractive else { return disconnect(notOffered) }
      phase = .subscribing
      return .subscribe
    case (.subscribing, .subscribed): return prepare()
    case (.challenging, .challenge(let bytes)):
      guard case .interactive(let command, let argument) = request,
        let challenge = ControlChallenge(bytes.span)
      else { return disconnect(malformedChallenge(bytes)) }
      phase = .making
      return .makePackage(command, argument: argument, challenge)
    case (.making, .package(let package)): return write(package)
    case (.making, .noPackage(let error)): return disconnect(.finish(.failed(error)))
    case (.writing, .written):
      phase = .awaiting
      return .receive(within: min(limits.answer, max(.zero, limits.total - elapsed)))
    case (.awaiting, .answered(let bytes, let judgement)):
      return answered(bytes, judgement, at: elapsed)
    // An event that the action before does not lead to: a fault of the shell.
    default: return disconnect(.finish(.failed(.outOfOrder)))
    }
  }

  private var isInteractive: Bool { if case .interactive = request { true } else { false } }

  private mutating func approach(_ heard: HeardTarget, at elapsed: Duration) -> ControlAction {
    heardAt = elapsed
    target = heard
    guard elapsed < limits.total else { return finish(overdue(isSilent: false)) }
    guard !heard.isOnboardable else {
      return finish(
        .failed(
          BuzzerError(
            .unsupported, "the tracker is in factory state and obeys nobody",
            remedy: "onboard it: \(.onboarding)")))
    }
    if case .deferred(let packages) = request {
      // A frame that names no heid is none of a LunaTracker; the next one may be.
      guard let heid = heard.heid else { return .listen }
      guard let match = packages.first(where: { $0.format == .deferred && $0.heid == heid }) else {
        return finish(.failed(.noMatch(packages.count, heid)))
      }
      package = match
    }
    guard heard.isConnectable != false else { return .listen }
    attempts += 1
    phase = .connecting
    let left = limits.total - elapsed
    return .connect(heard.peer, within: min(limits.connect, left))
  }

  private mutating func prepare() -> ControlAction {
    if let package, !isInteractive { return write(package) }
    phase = .challenging
    return .readChallenge
  }

  private mutating func write(_ package: ControlPackage) -> ControlAction {
    self.package = package
    phase = .writing
    return .write(package)
  }

  private mutating func answered(
    _ bytes: [UInt8], _ judgement: ControlJudgement, at elapsed: Duration
  ) -> ControlAction {
    guard let package else { return disconnect(notOffered) }
    let isShort = if case .short = judgement { true } else { false }
    let status = judgement.status.flatMap { ControlStatus(rawValue: $0) }
    if status == .done, !isShort { return disconnect(.finish(.done(package, bytes, judgement))) }
    let error = BuzzerError.answer(
      judgement, bytes, to: isInteractive ? .interactive : .deferred,
      mayHaveArrived: mayHaveArrived)
    if status == .busy {
      lastAnswer = error
      return disconnect(.again(ControlMachine.busyPause))
    }
    // The challenge may have run out on the way, or been burnt by another write: one more chance.
    if status == .unauthorized, isInteractive, !wasUnauthorized {
      wasUnauthorized = true
      lastAnswer = error
      return disconnect(.again(.zero))
    }
    return disconnect(.finish(.failed(error)))
  }

  private mutating func retreat(after error: GATTError, at elapsed: Duration) -> ControlAction {
    let wasSent: Bool
    switch phase {
    case .writing, .awaiting: wasSent = true
    default: wasSent = false
    }
    if wasSent { mayHaveArrived = true }
    guard error.isPassing else {
      let failure = BuzzerError(error)
      return disconnect(.finish(.failed(wasSent ? failure.afterSending : failure)))
    }
    guard !wasSent || request.isRepeatable else {
      return disconnect(.finish(.failed(.unansweredReset(error))))
    }
    if wasSent { lastAnswer = .unanswered(error) } else { lastFailure = BuzzerError(error) }
    let pause = ControlMachine.pauses[min(attempts, ControlMachine.pauses.count) - 1]
    if case .connecting = phase { return wait(pause, at: elapsed) }
    return disconnect(.again(pause))
  }

  private mutating func disconnect(_ next: Next) -> ControlAction {
    phase = .leaving(next)
    return .disconnect
  }

  private mutating func leave(_ next: Next, at elapsed: Duration) -> ControlAction {
    switch next {
    case .finish(let outcome): return finish(outcome)
    case .again(let pause): return wait(pause, at: elapsed)
    }
  }

  private mutating func wait(_ pause: Duration, at elapsed: Duration) -> ControlAction {
    guard pause > .zero else { return listen(at: elapsed) }
    phase = .pausing
    return .pause(min(pause, max(.zero, limits.total - elapsed)))
  }

  private mutating func listen(at elapsed: Duration) -> ControlAction {
    guard elapsed < limits.total else { return finish(overdue(isSilent: false)) }
    phase = .listening
    return .listen
  }

  private mutating func finish(_ outcome: ControlAction.Outcome) -> ControlAction {
    phase = .over
    return .finish(outcome)
  }

  /// Why it is given up.
  private func overdue(isSilent: Bool) -> ControlAction.Outcome {
    if let failure = lastAnswer ?? lastFailure { return .failed(failure) }
    return .failed(
      isSilent || target == nil ? .notHeard(limits.silence) : .notConnectable(limits.total))
  }

  private var notOffered: Next {
    .finish(
      .failed(
        BuzzerError(
          .notOffered, "the device takes no commands of LunaTrackers",
          remedy: "it may be another device with the same address; try again")))
  }

  private func malformedChallenge(_ bytes: [UInt8]) -> Next {
    .finish(
      .failed(
        BuzzerError(
          .malformed,
          "the challenge has \(bytes.count) bytes, not \(ControlChallenge.byteCount)",
          remedy: BuzzerError.faultyRemedy)))
  }
}
