/// Which fields and bytes a network recognises, found out by slots, as a machine (UPLINK.md, 10): it says what the
/// next slot carries, and takes what came of it. First it measures how originals and controls fare, then each probe is
/// decided between these two.
package struct Inspection: Sendable {
  /// What a slot carries.
  package enum Subject: Hashable, Sendable {
    case original
    case control
    /// An original of which something is changed.
    case probe(Probe)
  }

  /// Why not everything is known.
  package enum Reason: String, CaseIterable, Sendable {
    /// Originals and controls fare too much alike.
    case tooClose
    /// Slots vary so much that probes cannot be decided.
    case noisy
    /// Nothing comes through.
    case failed
    /// What the probes said cannot all be true.
    case contradictory
    /// There were as many probes as there may be.
    case probes
    /// There was as much data as there may be.
    case budget
  }

  /// How many slots of either kind are measured first, and again where a probe cannot be decided.
  private static let calibration = 8
  /// How often one after the other probes may be undecided.
  private static let patience = 3
  /// How many slots that is, with those before that find the way: with fewer nothing can be found out.
  package static let least = 2 * calibration + 2 + 2

  private var generator: SplitMix64
  private var search: MatchSearch
  /// What is measured before probes go on; the first ones only find the way.
  private var waiting: [Subject] = [.original, .control]
  private var isWarm = false
  private var outcomes: [Subject: [SlotOutcome]] = [:]
  private var levels: TreatmentLevels?
  private var test: ProbeTest?
  private var undecided = 0
  /// How many probes were made, those that were undecided among them.
  package private(set) var probes: Int
  /// Why it has ended before everything was known; nil otherwise.
  package private(set) var reason: Reason?

  /// An inspection.
  ///
  /// - Parameters:
  ///   - fields: those that can be changed: they are first.
  ///   - count: how many bytes can be.
  ///   - seed: where the order of what is measured first comes from.
  ///   - answers: those of an inspection that was broken off.
  package init(
    _ fields: [InspectedField], bytes count: Int, seed: UInt64, answers: [Bool] = []
  ) {
    generator = SplitMix64(seed: seed)
    search = MatchSearch(fields, bytes: count, answers: answers)
    probes = answers.count
    conclude()
  }

  /// Whether each probe so far ended the treatment: with them another one goes on where this one is.
  package var answers: [Bool] { search.answers }

  /// What is known.
  package var finding: MatchFinding { search.finding }

  /// How likely all of it is true at least.
  package var certainty: Double { max(0, 1 - Double(probes) * ProbeTest.error) }

  /// What the next slot carries; nil at the end.
  package var next: Subject? {
    guard reason == nil, let probe = search.next else { return nil }
    return waiting.first ?? .probe(probe)
  }

  /// Ends it, since no more data may be used.
  package mutating func endForBudget() { if next != nil { reason = .budget } }

  /// Takes what came of the slot that was next.
  package mutating func take(_ outcome: SlotOutcome) {
    guard let subject = next else { return }
    if waiting.isEmpty {
      decide(outcome)
    } else {
      waiting.removeFirst()
      if isWarm { outcomes[subject, default: []].append(outcome) }
      if waiting.isEmpty { measure() }
    }
    conclude()
  }

  /// All that was to be measured first has been.
  private mutating func measure() {
    guard isWarm else {
      isWarm = true
      return calibrate()
    }
    levels = TreatmentLevels(
      treated: outcomes[.original] ?? [], untreated: outcomes[.control] ?? [])
    guard let levels else {
      reason = .failed
      return
    }
    if levels.areApart { test = ProbeTest(levels) } else { reason = .tooClose }
  }

  private mutating func calibrate() {
    outcomes = [:]
    waiting = (0..<Inspection.calibration).flatMap { _ in [Subject.original, .control] }
      .shuffled(using: &generator)
  }

  private mutating func decide(_ outcome: SlotOutcome) {
    guard let answer = test?.take(outcome), let levels else { return }
    probes += 1
    test = ProbeTest(levels)
    guard answer == .undecided else {
      undecided = 0
      return search.take(answer == .ended)
    }
    undecided += 1
    // The link may have become another one.
    if undecided < Inspection.patience { calibrate() } else { reason = .noisy }
  }

  private mutating func conclude() {
    guard reason == nil else { return }
    if search.finding.isContradictory {
      reason = .contradictory
    } else if search.next != nil, probes >= MatchSearch.most {
      reason = .probes
    }
  }
}
