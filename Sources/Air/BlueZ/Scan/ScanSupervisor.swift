import Bluetooth
import Diagnosis

/// Decides what becomes of one scan: when it is started anew, how long is waited between the
/// attempts, and when it is given up. It knows neither clock nor adapter: it takes events with the
/// time since some start, and returns what is to be done.
struct ScanSupervisor: Sendable {
  /// What happened.
  enum Event: Sendable {
    /// The scan is wanted.
    case start
    /// The scan runs.
    case opened
    /// The scan could not be started.
    case failed(SourceError)
    /// The scan that ran has stopped, or the adapter is gone.
    case fault(SourceError)
    /// Reports were heard.
    case heard
    /// Something has ended that interrupts a scan, such as a connection: reports should come now.
    case interrupted
    /// The scan makes room for something else, such as a connection, and goes on by itself.
    case paused(String)
    /// It goes on.
    case resumed
    /// Nothing is to be heard for a while.
    case rest
    /// Reports are wanted again.
    case goOn
    /// What was opened is closed.
    case closed
    /// What `take` asked for has ended, with why it failed.
    case taken(StepProblem?)
    /// The time asked for with `wake` has come.
    case timer
    /// The scan is not wanted any more.
    case stop
  }

  /// What is to be done, in this order.
  enum Action: Hashable, Sendable {
    /// Start the scan; answered by `opened` or `failed`.
    case open
    /// Stop the scan and let go of everything; answered by `closed`.
    case close
    /// Take this step to bring the scan back; answered by `taken`.
    case take(RecoveryStep.Kind)
    /// Switch the scan off, and keep everything else.
    case rest
    /// Switch it on again.
    case goOn
    /// Send `timer` then; an earlier wish is void.
    case wake(at: Duration)
    /// Tell the state.
    case tell(SourceState)
    /// The end, with the reason unless it was wanted.
    case finish(SourceError?)
  }

  private enum Phase: Sendable {
    case idle, opening, scanning, closing, stepping, waiting, finished
  }

  /// The waits between attempts; the last one is repeated, and a longer one follows when that was of
  /// no use for a minute.
  static let delays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
  static let impatience = 30
  static let longDelay = Duration.seconds(5)
  /// A scan that has run that long without a fault counts as recovered even when nothing is heard.
  static let settled = Duration.seconds(30)
  /// In a silent place the scan is started anew ever more rarely: at most this many silence limits
  /// lie between.
  static let patience = 16
  /// However rarely something is heard here, a silent scan goes on for no longer: whoever looks whether a
  /// service works takes half an hour without a sign for a fault of its own (`StateBroadcast.interval`).
  static let longest = Duration.seconds(1200)

  /// How soon reports should come after an interruption. Kernels have been seen that never resume
  /// (kernel change 2cabe7ff1001), or only after more than a second.
  static let resumption = Duration.seconds(5)

  /// A fault of a scan that has run for so long is a new one.
  static let stood = Duration.seconds(2)
  /// How long is waited after a step before the scan is started, so that the adapter comes up.
  static let pause = Duration.milliseconds(300)

  /// How long nothing has to be heard before that is strange in this place.
  var silenceLimit: Duration
  /// The usual gap between what is heard here; nil while it is not known.
  var usualGap: Duration?
  /// Whether rfkill blocks the adapter in software.
  var isBlocked = false
  /// Whether other adapters of the same source deliver: then this one is never given up.
  var othersDeliver = false
  /// How the adapter is brought back.
  private(set) var recovery: ScanRecovery
  private let giveUpAfter: Duration?
  private var phase = Phase.idle
  private var isWanted = true
  private var hasRun = false
  private var attempt = 0
  private var brokenSince: Duration?
  private var openedAt = Duration.zero
  private var lastHeard = Duration.zero
  private var silences = 1
  /// Whether the scan is being brought back because nothing is heard.
  private var isSilent = false
  private var silenceReason = ""
  private var fault: SourceError?
  /// When the scan was interrupted, until reports have come since.
  private var interruptedAt: Duration?
  /// The good reason for which nothing can be heard.
  private var pauseReason: String?
  /// Since when nothing is to be heard.
  private var restingSince: Duration?

  /// - Parameters:
  ///   - rungs: the steps that make sense for the way to the adapter.
  ///   - hasRun: whether the scan is one to be brought back from the start on.
  init(
    giveUpAfter: Duration?, silenceLimit: Duration,
    rungs: [RecoveryStep.Kind] = RecoveryLadder.adapter, hasRun: Bool = false
  ) {
    self.giveUpAfter = giveUpAfter
    self.silenceLimit = silenceLimit
    self.hasRun = hasRun
    recovery = ScanRecovery(rungs)
  }

  /// How the adapter is called in what is told.
  mutating func name(_ adapter: String) { recovery.adapter = adapter }

  /// Takes an event that happened at `now`.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    switch event {
    case .start: return phase == .idle ? open() : []
    case .opened: return phase == .opening ? opened(now) : []
    case .failed(let error): return phase == .opening ? openFailed(error, now) : []
    case .fault(let error): return phase == .scanning ? close(because: error, now) : []
    case .heard:
      lastHeard = now
      silences = 1
      if let interruptedAt, now > interruptedAt { self.interruptedAt = nil }
      return phase == .scanning ? recovered(now) : []
    case .interrupted:
      return phase == .scanning && restingSince == nil ? interrupted(now) : []
    case .paused(let reason): return phase == .scanning ? pause(reason) : []
    case .resumed: return phase == .scanning && pauseReason != nil ? resume(now) : []
    case .rest: return rest(now)
    case .goOn: return goOn(now)
    case .closed: return phase == .closing ? closed(now) : []
    case .taken(let problem): return phase == .stepping ? taken(problem, now) : []
    case .timer: return timer(now)
    case .stop: return stop()
    }
  }

  private mutating func open() -> [Action] {
    phase = .opening
    return [.open]
  }

  private mutating func opened(_ now: Duration) -> [Action] {
    guard isWanted else { return close() }
    phase = .scanning
    hasRun = true
    openedAt = now
    lastHeard = now
    interruptedAt = nil
    pauseReason = nil
    let told = told(recovery.ended(nil)) + [.tell(.scanning)]
    guard restingSince != nil else { return told + [.wake(at: nextLook(now))] }
    restingSince = now
    return told + [.rest, .tell(.paused)]
  }

  private func told(_ step: RecoveryStep?) -> [Action] {
    step.map { [.tell(.recovery($0))] } ?? []
  }

  private mutating func rest(_ now: Duration) -> [Action] {
    guard restingSince == nil else { return [] }
    restingSince = now
    return phase == .scanning ? [.rest, .tell(.paused)] : []
  }

  /// Only the time in which something could be heard counts as silence.
  private mutating func goOn(_ now: Duration) -> [Action] {
    guard let restingSince else { return [] }
    self.restingSince = nil
    guard phase == .scanning else { return [] }
    lastHeard += now - min(now, max(restingSince, lastHeard))
    let state: [Action] = pauseReason == nil ? [.tell(.scanning)] : []
    return [.goOn] + state + [.wake(at: nextLook(now))]
  }

  private mutating func pause(_ reason: String) -> [Action] {
    pauseReason = reason
    return [.tell(.recovering(reason: reason))]
  }

  private mutating func resume(_ now: Duration) -> [Action] {
    pauseReason = nil
    if restingSince != nil { return [.tell(.paused)] }
    lastHeard = now
    return [.tell(.scanning)] + interrupted(now)
  }

  private mutating func interrupted(_ now: Duration) -> [Action] {
    interruptedAt = now
    return [.wake(at: nextLook(now))]
  }

  /// When to look next whether all is well.
  private func nextLook(_ now: Duration) -> Duration {
    var next = lastHeard + silence
    let settles = openedAt + ScanSupervisor.settled
    if now < settles { next = min(next, settles) }
    if let interruptedAt { next = min(next, interruptedAt + ScanSupervisor.resumption) }
    return next
  }

  /// How long nothing has to be heard now. While a silent scan is being brought back one need not
  /// wait so long for what usually comes often; and in a quiet place one looks ever more rarely.
  private var silence: Duration {
    guard isSilent, let usualGap, !recovery.isExhausted else {
      return min(silenceLimit * silences, ScanSupervisor.longest)
    }
    let soon = max(ScanSupervisor.resumption, usualGap * 3)
    return min(silenceLimit, soon, ScanSupervisor.longest)
  }

  private mutating func openFailed(_ error: SourceError, _ now: Duration) -> [Action] {
    fault = error
    // What was begun is undone before anything else.
    guard hasRun else {
      isWanted = false
      return close()
    }
    if brokenSince == nil { brokenSince = now }
    // What is absent or off is waited for: that the scan does not start is no news then.
    let isWaiting = error.kind == .noAdapter || error.kind == .off
    let problem = StepProblem(error.reason, hasBegun: true)
    return (isWaiting ? [] : told(recovery.ended(problem))) + close()
  }

  private mutating func close(because error: SourceError, _ now: Duration) -> [Action] {
    fault = error
    if brokenSince == nil { brokenSince = now }
    if now - openedAt >= ScanSupervisor.stood { recovery.ran() }
    return [.tell(.recovering(reason: error.reason))] + close()
  }

  private mutating func close() -> [Action] {
    phase = .closing
    return [.close]
  }

  private mutating func closed(_ now: Duration) -> [Action] {
    guard isWanted else { return finish(hasRun ? nil : fault) }
    if let fault, let lost = lost(fault, now) { return finish(lost) }
    // Nobody's fault as long as somebody wants it so.
    if fault?.kind == .off { brokenSince = now }
    let state = fault.map { [Action.tell(.recovering(reason: $0.reason))] } ?? []
    return state + step(now, isPrompt: fault == nil)
  }

  /// Goes on to the next step.
  ///
  /// - Parameter isPrompt: whether the scan, where that is the step, is started without a wait.
  private mutating func step(_ now: Duration, isPrompt: Bool) -> [Action] {
    let step = recovery.next(
      trouble, because: fault?.reason ?? silenceReason, knowsTraffic: usualGap != nil, at: now)
    guard step == .scan || step == .wait else {
      phase = .stepping
      return [.take(step)]
    }
    return told(recovery.waits()) + wait(isPrompt && step == .scan ? .zero : delay, now)
  }

  private var trouble: RecoveryLadder.Trouble {
    switch fault?.kind {
    case nil: .silent
    case .noAdapter: .gone
    case .off: .off(isBlocked: isBlocked)
    case .busy: .busy
    case .noPermission, .invalid, .unreadable, .lost: .stopped
    }
  }

  private var delay: Duration {
    attempt >= ScanSupervisor.impatience
      ? ScanSupervisor.longDelay
      : ScanSupervisor.delays[min(attempt, ScanSupervisor.delays.count - 1)]
  }

  private mutating func taken(_ problem: StepProblem?, _ now: Duration) -> [Action] {
    guard isWanted else { return finish(nil) }
    let told = told(recovery.ended(problem))
    // Nothing has changed: there is no scan to start for a look whether it has helped.
    if problem?.hasBegun == false { return told + step(now, isPrompt: true) }
    return told + wait(problem == nil ? ScanSupervisor.pause : .zero, now)
  }

  private mutating func wait(_ delay: Duration, _ now: Duration) -> [Action] {
    attempt += 1
    phase = .waiting
    return [.wake(at: now + delay)]
  }

  /// Why there is no point in another attempt.
  private func lost(_ fault: SourceError, _ now: Duration) -> SourceError? {
    switch fault.kind {
    case .noPermission, .invalid, .unreadable: return fault
    case .noAdapter, .off, .busy, .lost: break
    }
    guard fault.kind != .off, !othersDeliver, let giveUpAfter, let brokenSince,
      now - brokenSince >= giveUpAfter
    else { return nil }
    return SourceError(
      .lost,
      "the scan could not be brought back in \(giveUpAfter.components.seconds) s: "
        + fault.reason, remedy: fault.remedy)
  }

  private mutating func timer(_ now: Duration) -> [Action] {
    switch phase {
    case .waiting: return open()
    case .scanning:
      // Looked at again when it goes on.
      if restingSince != nil { return [] }
      if let pauseReason {
        let next = now + min(silenceLimit, ScanSupervisor.longest)
        return [.tell(.recovering(reason: pauseReason)), .wake(at: next)]
      }
      let told = now - openedAt >= ScanSupervisor.settled ? settled(now) : []
      if let interruptedAt, now - interruptedAt >= ScanSupervisor.resumption {
        self.interruptedAt = nil
        return told + silent("nothing was heard after a connection had ended", now)
      }
      let limit = silence
      guard now - lastHeard >= limit else { return told + [.wake(at: nextLook(now))] }
      if !isSilent || usualGap == nil || recovery.isExhausted {
        silences = min(silences * 2, ScanSupervisor.patience)
      }
      return told + silent("nothing was heard for \(limit.components.seconds) s", now)
    case .idle, .opening, .closing, .stepping, .finished: return []
    }
  }

  private mutating func silent(_ reason: String, _ now: Duration) -> [Action] {
    fault = nil
    if !isSilent { silenceReason = reason }
    isSilent = true
    return told(recovery.isQuiet()) + [.tell(.recovering(reason: reason))] + close()
  }

  /// The scan has run for a while without a fault. Where nothing is to be heard nothing more can be
  /// known.
  private mutating func settled(_ now: Duration) -> [Action] {
    forgetFault()
    return isSilent || usualGap != nil ? [] : told(recovery.recovered(at: now))
  }

  private mutating func recovered(_ now: Duration) -> [Action] {
    forgetFault()
    isSilent = false
    return told(recovery.recovered(at: now))
  }

  private mutating func forgetFault() {
    brokenSince = nil
    attempt = 0
    fault = nil
  }

  private mutating func stop() -> [Action] {
    isWanted = false
    switch phase {
    case .idle, .waiting: return finish(nil)
    case .scanning: return close()
    case .opening, .closing, .stepping, .finished: return []
    }
  }

  private mutating func finish(_ error: SourceError?) -> [Action] {
    phase = .finished
    guard let error, hasRun else { return [.finish(error)] }
    return [.tell(.lost(reason: error.reason)), .finish(error)]
  }
}
