import Testing

@testable import UplinkProtocol

struct OriginalJudgementTests {
  /// So many samples of nearly one rate that their mean is it, and that sets of different rates have
  /// nothing in common.
  private func samples(_ mean: Double, count: Int = 40) -> [Double] {
    (0..<count).map { mean * (1 + (Double($0) - Double(count - 1) / 2) * 1e-9) }
  }

  private func verdict(
    _ original: Double, _ control: Double, _ rule: OriginalRule,
    _ settings: OriginalSettings = .standard
  ) throws -> OriginalVerdict {
    try OriginalJudgement(
      original: samples(original), control: samples(control), rule: rule, settings: settings
    ).verdict
  }

  /// Below 10 Mbit/s the limit is 0.5: on it is different.
  @Test(arguments: [OriginalRule.ios, .java])
  func halfIsTheLimitOfSlowLinks(_ rule: OriginalRule) throws {
    #expect(try verdict(4.01, 8, rule) == .fair)
    #expect(try verdict(3.99, 8, rule) == .throttled)
    #expect(try verdict(8, 3.99, rule) == .prioritised)
    // Exactly 0.5, with sets that do not touch.
    let exact = try OriginalJudgement(
      original: [Double](repeating: 4, count: 30), control: [Double](repeating: 8, count: 30),
      rule: rule)
    #expect(exact.area == 0.5 && exact.verdict == .throttled)
  }

  @Test(arguments: [OriginalRule.ios, .java])
  func lessIsTheLimitOfFastLinks(_ rule: OriginalRule) throws {
    #expect(try verdict(14.02, 20, rule) == .fair)
    #expect(try verdict(13.98, 20, rule) == .throttled)
    #expect(try verdict(20, 13.98, rule) == .prioritised)
    // It is enough that one of the two is fast.
    #expect(try verdict(6.9, 10.01, rule) == .throttled)
    #expect(try verdict(6.9, 9.99, rule) == .fair)
  }

  /// Here the two clients differ.
  @Test func tenExactlyIsFastForOneOfThem() throws {
    let original = [Double](repeating: 6, count: 30)
    let control = [Double](repeating: 10, count: 30)
    func judge(_ rule: OriginalRule) throws -> OriginalVerdict {
      try OriginalJudgement(original: original, control: control, rule: rule).verdict
    }
    #expect(try judge(.ios) == .throttled)
    #expect(try judge(.java) == .fair)
  }

  @Test func ownSettingsKeepTheirArea() throws {
    var settings = OriginalSettings()
    settings.area = 0.4
    for rule in [OriginalRule.ios, .java] {
      #expect(try verdict(13, 20, rule, settings) == .fair)
      #expect(try verdict(11.9, 20, rule, settings) == .throttled)
    }
    // 0.5 that somebody chose: one looks at the number, the other at whether it is all defaults.
    var other = OriginalSettings()
    other.p = 0.02
    var same = OriginalSettings()
    same.areDefaults = false
    for settings in [other, same] {
      #expect(try verdict(13, 20, .ios, settings) == .throttled)
      #expect(try verdict(13, 20, .java, settings) == .fair)
    }
  }

  /// Means far apart, and too few samples to be sure.
  @Test func fewSamplesAreInconclusive() throws {
    let (original, control) = ([1.0, 1.1, 1.2], [3.0, 3.1, 3.2])
    for rule in OriginalRule.allCases {
      let judgement = try OriginalJudgement(original: original, control: control, rule: rule)
      #expect(judgement.test?.p == 0.1 && judgement.verdict == .inconclusive, "\(rule)")
    }
  }

  /// The halves of so few samples cannot agree with the whole: only one rule asks them.
  @Test func onlyOneRuleAsksTheHalves() throws {
    let original = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]
    let control = original.map { $0 + 3 }
    let ios = try OriginalJudgement(original: original, control: control, rule: .ios)
    #expect(try #require(ios.test).p < 0.01)
    #expect(ios.ratio == 0 && ios.verdict == .inconclusive)
    let java = try OriginalJudgement(original: original, control: control, rule: .java)
    #expect(java.verdict == .throttled && java.ratio == 0)
  }

  @Test func ratioHoldsAtItsLimit() throws {
    let judgement = try OriginalJudgement(
      original: samples(3), control: samples(8), rule: .ios)
    let ratio = try #require(judgement.ratio)
    var settings = OriginalSettings()
    settings.ratio = ratio
    #expect(try verdict(3, 8, .ios, settings) == .throttled)
    settings.ratio = ratio.nextUp
    #expect(try verdict(3, 8, .ios, settings) == .inconclusive)
  }

  @Test func oldRuleOfTheServerHasASign() throws {
    #expect(try verdict(9.02, 10, .server) == .inconclusive)
    #expect(try verdict(8.98, 10, .server) == .throttled)
    // A control that is slower is never a difference.
    #expect(try verdict(10, 5, .server) == .inconclusive)
    let same = samples(5)
    #expect(
      try OriginalJudgement(original: same, control: same, rule: .server).verdict == .fair)
  }

  @Test(arguments: OriginalRule.allCases)
  func nothingMovedIsInconclusive(_ rule: OriginalRule) throws {
    for (original, control) in [
      ([0.0, 0], [0.0, 0]), ([0, 0, 0], [5, 6, 7]), ([], []), ([], [3]),
    ] {
      let judgement = try OriginalJudgement(original: original, control: control, rule: rule)
      #expect(judgement.test == nil && judgement.ratio == nil)
      #expect(judgement.verdict == .inconclusive)
    }
  }

  /// Zeros count for the means and the halves, not for the whole's test.
  @Test func zerosCountForTheMeans() throws {
    let original = [Double](repeating: 0, count: 60) + samples(9)
    let control = samples(9)
    let judgement = try OriginalJudgement(original: original, control: control, rule: .ios)
    #expect(abs(try #require(judgement.area) - 0.6) < 1e-9)
    #expect(judgement.test?.distance == 0 && judgement.test?.p == 1)
    // The whole says no difference; halves with their zeros all say there is one.
    #expect(judgement.ratio == 0)
    #expect(judgement.verdict == .inconclusive)
  }

  @Test func oneSampleHasNoHalf() throws {
    let ios = try OriginalJudgement(original: [5], control: [5], rule: .ios)
    #expect(ios.ratio == nil && ios.verdict == .inconclusive)
    let java = try OriginalJudgement(original: [5], control: [5], rule: .java)
    #expect(java.ratio == nil && java.verdict == .fair)
  }

  @Test(arguments: [
    (-0.5, StatisticsError.Kind.outOfRange), (.nan, .notFinite), (.infinity, .notFinite),
  ])
  func refuses(_ sample: Double, _ kind: StatisticsError.Kind) {
    for (original, control) in [([1, sample], [1.0, 2]), ([1.0, 2], [1, sample])] {
      let error = #expect(throws: StatisticsError.self) {
        try OriginalJudgement(original: original, control: control, rule: .ios)
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func hugeSamplesDoNotOverflow() throws {
    let huge = [Double](repeating: .greatestFiniteMagnitude, count: 20)
    let judgement = try OriginalJudgement(original: huge, control: huge, rule: .java)
    #expect(abs(try #require(judgement.area)) < 1e-9)
    #expect(judgement.verdict == .fair)
  }

  @Test func sameSamplesAreJudgedAlike() throws {
    var generator = SplitMix64(seed: 3)
    let original = (0..<80).map { _ in Double.random(in: 0...9, using: &generator) }
    let control = (0..<70).map { _ in Double.random(in: 1...10, using: &generator) }
    let first = try OriginalJudgement(original: original, control: control, rule: .ios)
    #expect(try OriginalJudgement(original: original, control: control, rule: .ios) == first)
    // The share of halves by counting each of them, with the same seed.
    let other = try OriginalJudgement(original: original, control: control, rule: .ios, seed: 8)
    let (one, two) = (try #require(first.ratio), try #require(other.ratio))
    #expect(abs(one - two) < 0.25)
  }
}
