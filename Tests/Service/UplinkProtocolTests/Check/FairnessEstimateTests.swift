import Glibc
import Testing

@testable import UplinkProtocol

struct FairnessEstimateTests {
  private let last = Look(pairs: 16, alpha: 0.006, gamma: 0.05)

  private func estimate(
    _ pairs: [SlotPair], isLast: Bool = true
  ) throws -> FairnessEstimate {
    try FairnessEstimate(PairDifferences(pairs, .rate), at: last, isLast: isLast, seed: 1)
  }

  /// Sixteen pairs, the originals `factor` times as fast, with noise around it that cancels.
  private func pairs(_ factor: Double, noise: Double = 0.02) -> [SlotPair] {
    (0..<16).map { index in
      let wave = exp(noise * (Double(index) - 7.5) / 7.5)
      return SlotPair(original: .measured(1e6 * factor * wave), control: .measured(1e6))
    }
  }

  @Test func saysWhatIsSeen() throws {
    #expect(try estimate(pairs(1)).verdict == .fair)
    #expect(try estimate(pairs(0.5)).verdict == .throttled)
    #expect(try estimate(pairs(2)).verdict == .prioritised)
    let half = try estimate(pairs(0.5))
    #expect(abs(half.ratio - 0.5) < 1e-9)
    let (low, high) = (try #require(half.low), try #require(half.high))
    #expect(low < 0.5 && high > 0.5)
  }

  /// Both sides of 1.25; just below it the interval does not fit either.
  @Test func smallDifferencesAreNone() throws {
    #expect(try estimate(pairs(1 / 1.26, noise: 0.05)).verdict == .throttled)
    #expect(try estimate(pairs(1 / 1.24, noise: 0.05)).verdict == .inconclusive(.small))
    #expect(try estimate(pairs(1.24, noise: 0.05)).verdict == .inconclusive(.small))
    #expect(try estimate(pairs(1.24, noise: 0.05), isLast: false).verdict == nil)
    #expect(try estimate(pairs(1.26, noise: 0.05)).verdict == .prioritised)
    #expect(try estimate(pairs(1 / 1.2, noise: 0.05)).verdict == .fair)
  }

  @Test func noiseIsNoVerdict() throws {
    #expect(try estimate(pairs(1, noise: 2)).verdict == .inconclusive(.noisy))
    #expect(try estimate(pairs(1, noise: 2), isLast: false).verdict == nil)
  }

  @Test func blockedIsWhatDoesNotComeThrough() throws {
    func verdict(originals: Int, controls: Int) throws -> FairnessVerdict? {
      try estimate(
        (0..<20).map { index in
          SlotPair(
            original: index < originals ? .failed : .measured(1e6),
            control: index < controls ? .failed : .measured(1e6))
        }
      ).verdict
    }
    #expect(try verdict(originals: 16, controls: 4) == .blocked)
    #expect(try verdict(originals: 15, controls: 0) == .throttled)
    #expect(try verdict(originals: 20, controls: 5) == .throttled)
    #expect(try verdict(originals: 20, controls: 11) == .inconclusive(.failed))
    #expect(try verdict(originals: 20, controls: 20) == .inconclusive(.failed))
    #expect(try verdict(originals: 0, controls: 10) == .prioritised)
  }

  @Test func shortSlotsAreNoVerdict() throws {
    let some = (0..<16).map { index in
      SlotPair(original: index < 9 ? .tooFast : .measured(1e6), control: .measured(1e6))
    }
    #expect(try estimate(some).verdict == .inconclusive(.tooFast))
    #expect(try estimate(some, isLast: false).verdict == nil)
    // Half of the pairs are enough.
    #expect(try estimate(Array(some.dropFirst())).verdict == .inconclusive(.tooFast))
    #expect(try estimate(Array(some.dropFirst(2))).verdict == .fair)
    #expect(throws: StatisticsError.self) {
      try estimate([SlotPair(original: .tooFast, control: .tooFast)])
    }
  }

  @Test func bothChecksMustAgree() {
    #expect(FairnessVerdict.throttled.confirmed(by: .throttled) == .throttled)
    for second in [FairnessVerdict.fair, .prioritised, .blocked, .inconclusive(.noisy)] {
      #expect(FairnessVerdict.throttled.confirmed(by: second) == .inconclusive(.notConfirmed))
    }
    #expect(FairnessVerdict.fair.confirmed(by: .throttled) == .fair)
  }

  /// A fair link whose speed wanders: at most one check in a hundred may be wrong.
  @Test func fairLinksRaiseFewAlarms() throws {
    var generator = SplitMix64(seed: 12)
    var alarms = 0
    for _ in 0..<300 {
      var order = PairOrder(seed: generator.next())
      var wander = 0.0
      func slot() -> SlotOutcome {
        let step = Double.random(in: -0.5...0.5, using: &generator)
        wander = 0.8 * wander + step
        return .measured(exp(14 + wander))
      }
      let pairs = (0..<16).map { _ in
        let (first, second) = (slot(), slot())
        return order.nextIsOriginalFirst()
          ? SlotPair(original: first, control: second) : SlotPair(original: second, control: first)
      }
      for look in LookPlan.standard.looks {
        let differences = try PairDifferences(Array(pairs.prefix(look.pairs)), .rate)
        let estimate = try FairnessEstimate(
          differences, at: look, isLast: look.pairs == 16, seed: 0)
        if estimate.verdict?.needsConfirmation == true { alarms += 1 }
        if estimate.verdict != nil { break }
      }
    }
    // 3 are expected at most; more than 10 come once in a thousand times.
    #expect(alarms <= 10)
  }
}
