import Bluetooth

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
    /// What was opened is closed.
    case closed
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
    /// Send `timer` then; an earlier wish is void.
    case wake(at: Duration)
    /// Tell the state.
    case tell(SourceState)
    /// The end, with the reason unless it was wanted.
    case finish(SourceError?)
  }

  private enum Phase: Sendable {
    case idle, opening, scanning, closing, waiting, finished
  }

  /// The waits between attempts; the last one is repeated.
  static let delays: [Duration] = [
    .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5),
  ]
  /// A scan that has run that long without a fault counts as recovered even when nothing is heard.
  static let settled = Duration.seconds(30)
  /// In a silent place the scan is started anew ever more rarely: at most this many silence limits
  /// lie between.
  static let patience = 16

  /// How soon reports should come after an interruption. Kernels have been seen that never resume
  /// (kernel change 2cabe7ff1001), or only after more than a second.
  static let resumption = Duration.seconds(5)

  private let giveUpAfter: Duration?
  private let silenceLimit: Duration
  private var phase = Phase.idle
  private var isWanted = true
  private var hasRun = false
  private var attempt = 0
  private var brokenSince: Duration?
  private var openedAt = Duration.zero
  private var lastHeard = Duration.zero
  private var silences = 1
  private var fault: SourceError?
  /// When the scan was interrupted, until reports have come since.
  private var interruptedAt: Duration?
  /// Whether nothing can be heard for a good reason.
  private var isPaused = false

  init(giveUpAfter: Duration?, silenceLimit: Duration) {
    self.giveUpAfter = giveUpAfter
    self.silenceLimit = silenceLimit
  }

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
      if phase == .scanning { recovered() }
      return []
    case .interrupted: return phase == .scanning ? interrupted(now) : []
    case .paused(let reason): return phase == .scanning ? pause(reason) : []
    case .resumed: return phase == .scanning && isPaused ? resume(now) : []
    case .closed: return phase == .closing ? closed(now) : []
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
    isPaused = false
    return [.tell(.scanning), .wake(at: nextLook(now))]
  }

  private mutating func pause(_ reason: String) -> [Action] {
    isPaused = true
    return [.tell(.recovering(reason: reason))]
  }

  private mutating func resume(_ now: Duration) -> [Action] {
    isPaused = false
    lastHeard = now
    return [.tell(.scanning)] + interrupted(now)
  }

  private mutating func interrupted(_ now: Duration) -> [Action] {
    interruptedAt = now
    return [.wake(at: nextLook(now))]
  }

  /// When to look next whether all is well.
  private func nextLook(_ now: Duration) -> Duration {
    var next = lastHeard + silenceLimit * silences
    let settles = openedAt + ScanSupervisor.settled
    if now < settles { next = min(next, settles) }
    if let interruptedAt { next = min(next, interruptedAt + ScanSupervisor.resumption) }
    return next
  }

  private mutating func openFailed(_ error: SourceError, _ now: Duration) -> [Action] {
    // What was begun is undone before anything else.
    if hasRun {
      if brokenSince == nil { brokenSince = now }
      fault = error
    } else {
      fault = error
      isWanted = false
    }
    return close()
  }

  private mutating func close(because error: SourceError, _ now: Duration) -> [Action] {
    fault = error
    if brokenSince == nil { brokenSince = now }
    return [.tell(.recovering(reason: error.reason))] + close()
  }

  private mutating func close() -> [Action] {
    phase = .closing
    return [.close]
  }

  private mutating func closed(_ now: Duration) -> [Action] {
    guard isWanted else { return finish(hasRun ? nil : fault) }
    if let fault, let lost = lost(fault, now) { return finish(lost) }
    let delay =
      fault == nil
      ? .zero : ScanSupervisor.delays[min(attempt, ScanSupervisor.delays.count - 1)]
    attempt += 1
    phase = .waiting
    return (fault.map { [.tell(.recovering(reason: $0.reason))] } ?? [])
      + [.wake(at: now + delay)]
  }

  /// Why there is no point in another attempt.
  private func lost(_ fault: SourceError, _ now: Duration) -> SourceError? {
    switch fault.kind {
    case .noPermission, .invalid, .unreadable: return fault
    case .noAdapter, .off, .busy, .lost: break
    }
    guard let giveUpAfter, let brokenSince, now - brokenSince >= giveUpAfter else { return nil }
    return SourceError(
      .lost,
      "the scan could not be brought back in \(giveUpAfter.components.seconds) s: "
        + fault.reason, hint: fault.hint)
  }

  private mutating func timer(_ now: Duration) -> [Action] {
    switch phase {
    case .waiting: return open()
    case .scanning:
      if isPaused { return [.wake(at: now + silenceLimit)] }
      if now - openedAt >= ScanSupervisor.settled { recovered() }
      if let interruptedAt, now - interruptedAt >= ScanSupervisor.resumption {
        self.interruptedAt = nil
        return silent("nothing was heard after a connection had ended")
      }
      let limit = silenceLimit * silences
      guard now - lastHeard >= limit else { return [.wake(at: nextLook(now))] }
      silences = min(silences * 2, ScanSupervisor.patience)
      return silent("nothing was heard for \(limit.components.seconds) s")
    case .idle, .opening, .closing, .finished: return []
    }
  }

  private mutating func silent(_ reason: String) -> [Action] {
    fault = nil
    return [.tell(.recovering(reason: reason))] + close()
  }

  private mutating func recovered() {
    brokenSince = nil
    attempt = 0
    fault = nil
  }

  private mutating func stop() -> [Action] {
    isWanted = false
    switch phase {
    case .idle, .waiting: return finish(nil)
    case .scanning: return close()
    case .opening, .closing, .finished: return []
    }
  }

  private mutating func finish(_ error: SourceError?) -> [Action] {
    phase = .finished
    guard let error, hasRun else { return [.finish(error)] }
    return [.tell(.lost(reason: error.reason)), .finish(error)]
  }
}
