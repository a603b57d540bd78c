import Bluetooth

/// How one scan is being brought back: the ladder, and what is told of each step.
struct ScanRecovery: Sendable {
  /// How the adapter is called in what is told.
  var adapter = ""
  private var ladder: RecoveryLadder
  /// Since when something has been wrong; nil while nothing is.
  private(set) var since: Duration?
  private var step = RecoveryStep.Kind.scan
  private var reason = ""
  private var isOff = false
  /// Whether the present step was not possible.
  private var hasFailed = false
  /// What was refused since something has been wrong, and why.
  private var refused: [RecoveryStep.Kind: String] = [:]
  /// The last thing that was told, since the same again is no news.
  private var told: RecoveryStep?
  private var hasToldQuiet = false

  init(_ rungs: [RecoveryStep.Kind]) { ladder = RecoveryLadder(rungs) }

  /// Whether everything was tried in vain.
  var isExhausted: Bool { ladder.isExhausted }

  /// The next step for this trouble; to be ended with ``ended(_:)``.
  mutating func next(
    _ trouble: RecoveryLadder.Trouble, because reason: String, knowsTraffic: Bool, at now: Duration
  ) -> RecoveryStep.Kind {
    if since == nil { since = now }
    self.reason = reason
    hasFailed = false
    isOff = if case .off = trouble { true } else { false }
    step = ladder.next(trouble, knowsTraffic: knowsTraffic, at: now)
    return step
  }

  /// The scan has run for a while: what is wrong from now on is something new.
  mutating func ran() { ladder.ran() }

  /// The present step has ended, with why it failed; nothing when there is none, or nothing new.
  mutating func ended(_ problem: StepProblem?) -> RecoveryStep? {
    guard since != nil, step != .wait else { return nil }
    // That the scan runs then says nothing of it.
    if hasFailed, problem == nil { return nil }
    hasFailed = problem != nil
    if let problem, !problem.hasBegun {
      ladder.refused(step)
      // For the same reason as the last time it is no news.
      guard refused.updateValue(problem.reason, forKey: step) != problem.reason else { return nil }
      return tell(.failed, problem.reason, isRefused: true)
    }
    refused[step] = nil
    ladder.ended(step, worked: problem == nil)
    return tell(problem == nil ? .done : .failed, problem?.reason ?? reason)
  }

  /// What is waited for.
  mutating func waits() -> RecoveryStep? { step == .wait ? tell(.waiting, reason) : nil }

  /// The place is quiet; told once.
  mutating func isQuiet() -> RecoveryStep? {
    guard ladder.isExhausted, !hasToldQuiet else { return nil }
    hasToldQuiet = true
    return tell(.quiet, quietReason)
  }

  private var quietReason: String {
    let refusals = RecoveryStep.Kind.allCases.compactMap { kind in
      refused[kind].map { "\(RecoveryStep.words[kind] ?? kind.rawValue) (\($0))" }
    }
    guard !refusals.isEmpty else {
      return "everything was tried and nothing is heard: this place is quiet now"
    }
    return "nothing is heard: this place is quiet now, or it takes what was refused: "
      + refusals.joined(separator: ", ")
  }

  /// All is well again; nothing when it was before.
  mutating func recovered(at now: Duration) -> RecoveryStep? {
    guard let since else { return nil }
    let step = make(.recovered, reason, now - since)
    ladder.recovered()
    self.since = nil
    told = nil
    hasToldQuiet = false
    refused = [:]
    return step
  }

  private mutating func tell(
    _ outcome: RecoveryStep.Outcome, _ reason: String, isRefused: Bool = false
  ) -> RecoveryStep? {
    var news = make(outcome, reason)
    news.isRefused = isRefused
    var known = told
    known?.attempt = news.attempt
    // It may have come back with another number.
    known?.adapter = news.adapter
    guard news != known else { return nil }
    told = news
    return news
  }

  private func make(
    _ outcome: RecoveryStep.Outcome, _ reason: String, _ duration: Duration? = nil
  ) -> RecoveryStep {
    var made = RecoveryStep(
      adapter: adapter, kind: step, outcome: outcome, reason: reason, attempt: ladder.attempt,
      duration: duration)
    made.isOff = isOff && outcome == .waiting
    return made
  }
}
