import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Onboards one tracker (PROTOCOL.md, 14): takes what happens and says what to do next. It waits for a
/// tracker that accepts connections, agrees with it on keys, keeps them before the tracker may have
/// them, and asks it whether it has when its last answer was lost, now or in an earlier run.
struct OnboardingMachine: Sendable {
  /// Between attempts; the last one counts for all further ones.
  static let pauses: [Duration] = [.zero, .milliseconds(500), .seconds(1), .seconds(2)]
  /// How many connections are attempted for an exchange, and for each record.
  static let attemptLimit = 5
  /// A frame of factory state that was sent before the tracker took the keys may be heard for so
  /// long after the connection.
  static let echo = Duration.seconds(5)
  /// A tracker that was not heard for so long is not there any more, or has changed its address.
  static let presence = Duration.seconds(10)
  /// How long two trackers have to be there at the same time to be two.
  static let doubt = Duration.seconds(12)
  /// A connection without traffic ends after 30 s (PROTOCOL.md, 13): a record that is older has no
  /// message on its way to the tracker, s.
  static let linkLife: Int64 = 35

  /// What it waits for.
  enum Phase: Sendable {
    case listening, pausing
    /// On the way to keys, with the message that is next.
    case connecting, readingInfo, subscribing
    case requesting(AppOnboarding)
    case awaitingResponse(AppOnboarding)
    case readingResponse(AppOnboarding)
    case storing(OnboardingOffer, PendingOnboarding)
    case finishing(OnboardingOffer)
    case awaitingDone(OnboardingOffer)
    case readingDone(OnboardingOffer)
    /// Asking the tracker of a record.
    case asking(PendingOnboarding, Question)
    case promoting(DeviceUUID)
    case discarding(DeviceUUID)
    case leaving(Next)
    case over
  }

  /// How far a question has come.
  enum Question: Sendable {
    case connecting, subscribing, challenging
    case counting(ControlChallenge)
    case writing(ControlPackage)
    case awaiting(ControlPackage)
  }

  /// What comes after the connection is gone.
  enum Next: Sendable {
    case again(Duration)
    case promote(DeviceUUID)
    case finish(Result<OnboardingOutcome, OnboardingError>)
  }

  /// A tracker that may be meant.
  struct Candidate: Sendable {
    var peer: GATTPeer
    /// What it shows; nil when it does not say that it can be onboarded.
    var hint: ESF?
    var foundAt: Duration
    var heardAt: Duration
  }

  let request: OnboardingRequest
  let limits: OnboardingLimits
  /// What trackers with the code show; nil without a code.
  let wantedHint: ESF?

  var phase = Phase.listening
  /// The records whose end is not known.
  var pending: [PendingOnboarding]
  /// How often their trackers were asked, in vain.
  var questions: [DeviceUUID: Int] = [:]
  /// The record of this run, once the finish may have been sent.
  var current: DeviceUUID?
  /// When the connection on which that was ended.
  var lostAt: Duration?
  var candidates: [Candidate] = []
  /// Whether there was time enough for a second one to be heard, where that matters.
  var hasSettled = false
  /// Trackers in factory state that cannot be meant.
  var strangers: Set<BluetoothAddress> = []
  /// Whether the tracker that the code belongs to is locked.
  var isLocked = false
  var target: Candidate?
  /// Attempts to connect for the exchange so far.
  var attempts = 0
  var lastFailure: OnboardingError?
  /// What the tracker said against the finish: another attempt would come to the same.
  var finalFailure: OnboardingError?
  var now = Timestamp.unknown
  var told: [BluetoothAddress: Bool] = [:]
  private(set) var news: [LunaOnboarderEvent] = []
  private(set) var progress: [OnboardingProgress] = [.listening]

  /// - Parameter pending: the records of earlier runs.
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-256.
  init(
    _ request: OnboardingRequest, limits: OnboardingLimits, pending: [PendingOnboarding]
  ) throws(CryptoError) {
    self.request = request
    self.limits = limits
    self.pending = pending
    wantedHint = try request.code?.factoryHint()
  }

  /// The first action.
  func start() -> OnboardingAction {
    // A record of an earlier run may be all that there is to do: that needs no consent.
    guard request.code == nil, !request.allowsUnauthenticated, !request.isDryRun, pending.isEmpty
    else { return .listen }
    return .finish(.failure(.consentNeeded))
  }

  /// What is to be told since this was asked last.
  mutating func takeNews() -> ([LunaOnboarderEvent], [OnboardingProgress]) {
    defer {
      news = []
      progress = []
    }
    return (news, progress)
  }

  mutating func tell(_ event: LunaOnboarderEvent) { news.append(event) }

  mutating func tell(_ step: OnboardingProgress) { progress.append(step) }

  /// Takes an input.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the start.
  ///   - now: protocol time.
  mutating func handle(
    _ input: OnboardingInput, at elapsed: Duration, now: Timestamp
  ) -> OnboardingAction {
    self.now = now
    switch (phase, input) {
    case (.over, _): return .finish(.failure(.stopped))
    case (.leaving(let next), _): return leave(next, at: elapsed)
    // What was begun on the disk is ended.
    case (.promoting, _), (.discarding, _): return kept(input, at: elapsed)
    case (_, .stop): return disconnect(.finish(.failure(.stopped)))
    case (.listening, .heard(let sightings)): return heard(sightings, at: elapsed)
    case (.pausing, _): return listen(at: elapsed)
    case (.asking(let record, let question), _): return ask(record, question, input, at: elapsed)
    default: return exchange(input, at: elapsed)
    }
  }

  mutating func disconnect(_ next: Next) -> OnboardingAction {
    phase = .leaving(next)
    return .disconnect
  }

  private mutating func leave(_ next: Next, at elapsed: Duration) -> OnboardingAction {
    if current != nil, lostAt == nil { lostAt = elapsed }
    switch next {
    case .again(let pause): return wait(pause, at: elapsed)
    case .promote(let uuid): return promote(uuid)
    case .finish(let result): return finish(result)
    }
  }

  mutating func wait(_ pause: Duration, at elapsed: Duration) -> OnboardingAction {
    guard pause > .zero else { return listen(at: elapsed) }
    phase = .pausing
    return .pause(pause)
  }

  mutating func finish(
    _ result: Result<OnboardingOutcome, OnboardingError>
  ) -> OnboardingAction {
    phase = .over
    return .finish(result)
  }

  mutating func listen(at elapsed: Duration) -> OnboardingAction {
    phase = .listening
    if current != nil, let lostAt {
      guard elapsed < limits.resolutionEnd(after: lostAt) else {
        return finish(.failure(.unresolved(finalFailure ?? lastFailure)))
      }
      return .listen
    }
    guard elapsed < limits.searchEnd else { return finish(.failure(overdue)) }
    return .listen
  }

  mutating func promote(_ uuid: DeviceUUID) -> OnboardingAction {
    phase = .promoting(uuid)
    return .promote(uuid, name: isWanted(uuid) ? request.name : nil)
  }

  /// Whether a record is what this run is about.
  private func isWanted(_ uuid: DeviceUUID) -> Bool {
    guard uuid != current else { return true }
    guard let record = pending.first(where: { $0.device.uuid == uuid }) else { return false }
    if let wantedHint { return record.hint == wantedHint }
    // Who names a tracker by an address means one that shows it.
    if case .fitting = request.target { return true }
    return false
  }

  private mutating func kept(
    _ input: OnboardingInput, at elapsed: Duration
  ) -> OnboardingAction {
    switch (phase, input) {
    case (_, .storeFailed(let error)): return finish(.failure(OnboardingError(error)))
    case (.promoting(let uuid), .promoted(let device)):
      let wasWanted = isWanted(uuid)
      pending.removeAll { $0.device.uuid == uuid }
      // Another process may have been faster; then the device is there as well.
      guard let device else { return listen(at: elapsed) }
      tell(.lunaOnboarded(device))
      return wasWanted ? finish(.success(.onboarded(device))) : listen(at: elapsed)
    case (.discarding(let uuid), .discarded):
      pending.removeAll { $0.device.uuid == uuid }
      tell(.discarded)
      guard uuid == current else { return listen(at: elapsed) }
      // The tracker did not take the keys: this attempt failed, and nothing is left of it.
      current = nil
      lostAt = nil
      if let finalFailure { return finish(.failure(finalFailure)) }
      guard let lastFailure, attempts >= OnboardingMachine.attemptLimit else {
        return listen(at: elapsed)
      }
      return finish(.failure(lastFailure))
    default: return finish(.failure(.stopped))
    }
  }
}
