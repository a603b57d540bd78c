import LunaCore

/// What goes to the backend and when: one thing at a time, with growing pauses after failures.
struct TransferState: Sendable {
  enum Flight: Hashable, Sendable {
    case upload
    case confirmation
  }

  /// How many events a batch may have at present: fewer than configured after one was too large.
  var batch = 1
  private(set) var flight: Flight?
  var hasConfirmations = false
  /// Confirmations on their way into the queue.
  var keeping = 0
  private(set) var waiting = 0
  /// Since when an event waits for the batch to fill up.
  private(set) var since: Duration?
  private var notBefore: Duration = .zero
  private var backOff = BackOff()
  /// Whether the last pause was asked for by the backend.
  private var isAsked = false
  /// Whether the last attempt failed for the sake of who we are: then somebody may change that at any moment.
  private(set) var isRefused = false
  /// Whether what waits goes at once, full batch or not: at the start and at the end.
  private var isHurried = false
  /// Whether a failure ends the hurry of the end.
  private(set) var hasFailed = false
  /// The events that were refused all by themselves.
  var refusals = LoneRefusals()
  /// Until when only such events wait, whose turn has not come.
  private var restUntil: Duration?
  /// Whether telling a confirmation has failed: then events have their turn first.
  private var hasConfirmationFailed = false

  var isKeeping: Bool { keeping > 0 }

  /// Whether there is nothing to transfer, or nobody to transfer it to.
  func isIdle(uploads: Bool) -> Bool {
    !uploads || waiting == 0 && !hasConfirmations && flight == nil && !isKeeping
  }

  /// A confirmation has reached the queue.
  mutating func kept() {
    keeping = max(0, keeping - 1)
    hasConfirmations = true
  }

  /// What a run before has left goes at once.
  mutating func restored(waiting: Int, hasConfirmations: Bool) {
    self.waiting = waiting
    self.hasConfirmations = hasConfirmations
    since = waiting > 0 ? .zero : nil
    isHurried = waiting > 0
  }

  mutating func hurry() {
    isHurried = true
    hasFailed = false
    // One attempt is due, unless the backend wants to be left alone.
    if !isAsked { notBefore = .zero }
  }

  mutating func queued(waiting: Int, at elapsed: Duration) {
    if waiting > self.waiting { restUntil = nil }
    self.waiting = waiting
    if waiting > 0, since == nil { since = elapsed }
  }

  /// Whether there is something to send at a time.
  func next(patience: Duration, at elapsed: Duration) -> Flight? {
    guard flight == nil, elapsed >= notBefore else { return nil }
    let upload = isUploadDue(patience, at: elapsed) ? Flight.upload : nil
    guard hasConfirmations else { return upload }
    return hasConfirmationFailed ? upload ?? .confirmation : .confirmation
  }

  private func isUploadDue(_ patience: Duration, at elapsed: Duration) -> Bool {
    guard waiting > 0, let since else { return false }
    if let restUntil, elapsed < restUntil { return false }
    return isHurried || waiting >= batch || elapsed - since >= patience
  }

  mutating func begin(_ flight: Flight) {
    self.flight = flight
    // What the backend asked for is over.
    isAsked = false
    isRefused = false
    if flight == .upload {
      hasConfirmationFailed = false
      restUntil = nil
    }
  }

  /// The event that was to go by itself has left the queue: that says nothing of the others.
  mutating func isGone(_ id: Int64) {
    flight = nil
    refusals.forget(id)
  }

  /// None but events that were refused by themselves wait; perhaps it is the turn of one.
  mutating func restUntilTurn(at elapsed: Duration) {
    flight = nil
    isHurried = false
    refusals.letGo(at: elapsed)
    restUntil = refusals.firstDue ?? elapsed + .seconds(60)
  }

  /// An upload was answered.
  ///
  /// - Parameter progress: how many events left the queue with it.
  mutating func uploaded(
    progress: Int, waiting: Int, limit: Int, at elapsed: Duration,
    using generator: inout some RandomNumberGenerator
  ) {
    flight = nil
    self.waiting = waiting
    since = waiting > 0 ? elapsed : nil
    batch = min(limit, batch * 2)
    if waiting == 0 { isHurried = false }
    if progress > 0 {
      backOff.succeed()
      hasFailed = false
      refusals.pass(at: elapsed)
    } else {
      // The backend took none and gave no reason to set one aside: not at once again.
      notBefore = elapsed + backOff.fail(using: &generator)
      hasFailed = true
    }
  }

  mutating func confirmed(hasMore: Bool) {
    flight = nil
    hasConfirmations = hasMore
    hasConfirmationFailed = false
    backOff.succeed()
    hasFailed = false
  }

  /// How many failures in a row are nobody's fault yet, whatever the answer says: a portal that asks
  /// for a password and a proxy that starts answer anything.
  private static let benefitOfDoubt = 5

  /// - Returns: how long the next attempt waits.
  mutating func failed(
    _ error: BackendError, at elapsed: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    if flight == .confirmation { hasConfirmationFailed = true }
    flight = nil
    hasFailed = true
    isAsked = error.retryAfter != nil
    isRefused = error.kind == .refused || error.kind == .local
    let isLasting = !error.isTemporary && backOff.failures >= TransferState.benefitOfDoubt
    var pause = backOff.fail(retryAfter: error.retryAfter, using: &generator)
    // Somebody has to change something first; look now and then.
    if isLasting { pause = max(pause, backOff.cap / 2) }
    notBefore = elapsed + pause
    return pause
  }

  /// Who we are is shown with something else from now on: that is worth an attempt, unless the backend wants to be
  /// left alone.
  mutating func credentialChanged() {
    if isRefused, !isAsked { notBefore = .zero }
  }

  mutating func queueFailed(at elapsed: Duration, using generator: inout some RandomNumberGenerator)
  {
    flight = nil
    hasFailed = true
    notBefore = elapsed + backOff.fail(using: &generator)
  }

  /// Makes batches smaller after one was refused for what is in it.
  mutating func halve() { batch = max(1, batch / 2) }
}
