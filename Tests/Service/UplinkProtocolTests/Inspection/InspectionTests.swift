import Testing

@testable import UplinkProtocol

struct InspectionTests {
  private static let rates = (treated: 1e6, untreated: 2e6)

  private func run(
    _ first: Inspection, _ slot: (Inspection.Subject) -> SlotOutcome
  ) -> Inspection {
    var inspection = first
    while let subject = inspection.next { inspection.take(slot(subject)) }
    return inspection
  }

  /// A network that recognises bytes 110 to 121 of 507, and varies by a share.
  private func run(
    seed: UInt64, noise: Double, flips: Double = 0,
    rates: (treated: Double, untreated: Double) = InspectionTests.rates
  ) -> Inspection {
    var generator = SplitMix64(seed: seed)
    return run(Inspection([], bytes: 507, seed: seed)) { subject in
      var isTreated = InspectionTests.isTreated(subject)
      if Double.random(in: 0..<1, using: &generator) < flips { isTreated.toggle() }
      let factor = 1 + Double.random(in: -1...1, using: &generator) * noise
      return .measured((isTreated ? rates.treated : rates.untreated) * factor)
    }
  }

  private static func isTreated(_ subject: Inspection.Subject) -> Bool {
    switch subject {
    case .original: true
    case .control: false
    case .probe(.bytes(let changed)): !changed.contains { $0.overlaps(110..<122) }
    case .probe(.field): true
    }
  }

  @Test func findsThemOnSteadyLinks() {
    for seed in UInt64(0)..<20 {
      let inspection = run(seed: seed, noise: 0.1)
      #expect(inspection.reason == nil && inspection.next == nil)
      #expect(inspection.finding.alternatives == [[110..<122]])
      #expect(inspection.probes <= 60 && inspection.probes == inspection.answers.count)
      #expect(abs(inspection.certainty - (1 - Double(inspection.probes) / 1000)) < 1e-12)
    }
  }

  @Test func fasterOnesAreFoundAsWell() {
    let inspection = run(seed: 1, noise: 0.1, rates: (treated: 3e6, untreated: 1e6))
    #expect(inspection.reason == nil && inspection.finding.alternatives == [[110..<122]])
  }

  /// Slots that fail are a level, too.
  @Test func blockedOnesAreFoundAsWell() {
    let inspection = run(Inspection([], bytes: 507, seed: 1)) { subject in
      InspectionTests.isTreated(subject) ? .failed : .measured(1e6)
    }
    #expect(inspection.reason == nil && inspection.finding.alternatives == [[110..<122]])
  }

  /// A slot in a hundred is as the other kind: nothing wrong is said of that, or it is said why there is nothing.
  @Test func flipsDoNotMislead() {
    var (found, wrong) = (0, 0)
    for seed in UInt64(0)..<40 {
      let inspection = run(seed: seed, noise: 0.1, flips: 0.01)
      guard inspection.reason == nil else { continue }
      if inspection.finding.alternatives == [[110..<122]] { found += 1 } else { wrong += 1 }
    }
    #expect(found >= 30 && wrong <= 1)
  }

  @Test func whatVariesTooMuchIsTooClose() {
    for seed in UInt64(0)..<20 {
      let inspection = run(seed: seed, noise: 0.1, flips: 0.5)
      #expect(inspection.reason != nil && inspection.probes < 60)
    }
    let alike = run(seed: 1, noise: 0.1, rates: (treated: 1e6, untreated: 1e6))
    #expect(alike.reason == .tooClose && alike.probes == 0 && !alike.finding.isAnything)
  }

  /// The levels are far from each other, and probes are at neither.
  @Test func probesThatCannotBeDecidedAreNoise() {
    var count = 0
    let inspection = run(Inspection([], bytes: 507, seed: 1)) { subject in
      if case .probe = subject { count += 1 }
      let isFast = subject == .control || (subject != .original && count % 2 == 0)
      return .measured(isFast ? 2e6 : 1e6)
    }
    #expect(inspection.reason == .noisy && inspection.probes == 3 && inspection.answers.isEmpty)
    #expect(count == 18)
  }

  @Test func aNetworkThatIsGoneIsAFailure() {
    let inspection = run(Inspection([.sni], bytes: 0, seed: 1)) { _ in .failed }
    #expect(inspection.reason == .failed && inspection.probes == 0)
  }

  /// Where neither originals nor controls failed, a slot that fails is no answer.
  @Test func aNetworkThatGoesDecidesNothing() {
    var isGone = false
    let inspection = run(Inspection([.sni], bytes: 0, seed: 1)) { subject in
      if case .probe = subject { isGone = true }
      return isGone ? .failed : .measured(subject == .control ? 2e6 : 1e6)
    }
    #expect(inspection.reason == .failed && inspection.answers.isEmpty)
    #expect(inspection.probes == 1)
  }

  @Test func oneSlotDecidesNothing() {
    var slots: [Probe: Int] = [:]
    let inspection = run(Inspection([.sni, .size], bytes: 0, seed: 1)) { subject in
      if case .probe(let probe) = subject { slots[probe, default: 0] += 1 }
      return .measured(subject == .control || subject == .probe(.field(.sni)) ? 2e6 : 1e6)
    }
    #expect(inspection.finding.fields == [.sni: true, .size: false])
    // Where something was found, an original without any change has to be treated still.
    #expect(slots == [.field(.sni): 2, .field(.size): 2, .bytes([]): 2])
  }

  /// An original without any change is as fast, too, once the link is twice as fast.
  @Test func aLinkThatBecameFasterAccusesNoField() {
    var isProbed = false
    let inspection = run(Inspection([.sni, .alpn], bytes: 0, seed: 1)) { subject in
      if case .probe = subject { isProbed = true }
      return .measured((subject == .control ? 2e6 : 1e6) * (isProbed ? 2 : 1))
    }
    #expect(inspection.reason == .contradictory && inspection.probes == 3)
    #expect(!inspection.finding.isAnything)
  }

  /// Both levels are measured equally often, in an order that the seed decides, behind one that finds the way.
  @Test func levelsAreMeasuredFirst() {
    func order(_ seed: UInt64) -> [Inspection.Subject] {
      var subjects: [Inspection.Subject] = []
      _ = run(Inspection([.sni], bytes: 0, seed: seed)) { subject in
        subjects.append(subject)
        return .measured(subject == .control ? 2e6 : 1e6)
      }
      return subjects
    }
    let subjects = order(1)
    #expect(subjects == order(1) && subjects != order(2) && subjects.count == Inspection.least)
    #expect(subjects.prefix(18).filter { $0 == .original }.count == 9)
    #expect(subjects.prefix(18).filter { $0 == .control }.count == 9)
    #expect(subjects.suffix(2) == [.probe(.field(.sni)), .probe(.field(.sni))])
  }

  @Test func thereAreAtMostTwoHundredProbes() {
    let inspection = run(Inspection([], bytes: 507, seed: 1)) { subject in
      let isTreated =
        switch subject {
        case .original: true
        case .probe(.bytes(let changed)): !changed.contains { $0.overlaps(100..<500) }
        default: false
        }
      return .measured(isTreated ? 1e6 : 2e6)
    }
    #expect(inspection.reason == .probes && inspection.probes == 200)
    #expect(!inspection.finding.blocks.isEmpty)
    #expect(abs(inspection.certainty - 0.8) < 1e-12)
  }

  @Test func goesOnWithAnswers() {
    let whole = run(seed: 1, noise: 0.1)
    let answers = Array(whole.answers.prefix(10))
    let again = run(Inspection([], bytes: 507, seed: 2, answers: answers)) { subject in
      .measured(InspectionTests.isTreated(subject) ? 1e6 : 2e6)
    }
    #expect(again.finding == whole.finding && again.probes == whole.probes)
  }

  @Test func endsWhenNoMoreDataMayBeUsed() {
    var inspection = Inspection([.sni], bytes: 0, seed: 1)
    inspection.endForBudget()
    #expect(inspection.next == nil && inspection.reason == .budget)
    // What is over is over.
    var done = run(Inspection([.sni], bytes: 0, seed: 1)) { subject in
      .measured(subject == .control ? 2e6 : 1e6)
    }
    done.endForBudget()
    #expect(done.reason == nil && done.finding.fields == [.sni: false])
  }

  @Test func slotsThatAreTooFastHaveASpeed() {
    func record(_ outcome: SlotOutcome) -> SlotRecord {
      SlotRecord(.original, outcome, bytes: 1000, seconds: 0.001, fastest: nil)
    }
    #expect(record(.tooFast).speed == .measured(100_000))
    #expect(record(.measured(5)).speed == .measured(5) && record(.failed).speed == .failed)
  }
}
