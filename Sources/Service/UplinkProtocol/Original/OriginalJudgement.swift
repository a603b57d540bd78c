/// What a rule of Wehe's says of the samples of two replays, an original and a control.
public struct OriginalJudgement: Hashable, Sendable {
  /// The seed of the halves, unless another is given: the same samples are judged alike.
  public static let seed: UInt64 = 0x5765_6865

  /// The rule.
  public let rule: OriginalRule
  /// The control's mean less the original's, by the larger one; nil where both are 0.
  public let area: Double?
  /// Kolmogorov and Smirnov's test of the samples other than 0; nil where a side has none.
  public let test: KolmogorovSmirnov?
  /// Which share of halves of the samples says the same as all of them; nil where `test` is, and where
  /// half of a side is nothing.
  public let ratio: Double?
  /// What the rule says.
  public let verdict: OriginalVerdict

  /// Judges samples, Mbit/s, as a server holds them: without the last one that the client sent.
  ///
  /// - Throws: `notFinite`, `tooMany`, or `outOfRange` when a sample is negative. A set without samples
  ///   is none: its replay was too short, and the verdict is inconclusive.
  public init(
    original: [Double], control: [Double], rule: OriginalRule,
    settings: OriginalSettings = .standard, seed: UInt64 = seed
  ) throws(StatisticsError) {
    for (samples, name) in [(original, "the original"), (control, "the control")] {
      if !samples.isEmpty { try Samples.check(samples, name) }
      guard samples.allSatisfy({ $0 >= 0 }) else {
        throw StatisticsError(.outOfRange, "\(name) has a sample below 0")
      }
    }
    let (moving, movingControl) = (original.filter { $0 > 0 }, control.filter { $0 > 0 })
    let means = (original: Samples.mean(original), control: Samples.mean(control))
    let fastest = max(means.original, means.control)
    self.rule = rule
    area = fastest > 0 ? (means.control - means.original) / fastest : nil
    test =
      moving.isEmpty || movingControl.isEmpty
      ? nil : try KolmogorovSmirnov(moving, movingControl)
    var generator = SplitMix64(seed: seed)
    if let test, var halves = HalvesTest(original, control) {
      ratio = halves.share(agreeingWith: test.p, &generator)
    } else {
      ratio = nil
    }
    guard let area, let test else {
      verdict = .inconclusive
      return
    }
    let difference: OriginalVerdict =
      means.original < means.control ? .throttled : .prioritised
    let limit = settings.area(for: rule, means.original, means.control)
    switch rule {
    case .ios:
      // Half of one sample is nothing: this rule says nothing of it then.
      guard let ratio else {
        verdict = .inconclusive
        return
      }
      let isSure = test.p < settings.p && ratio >= settings.ratio
      verdict = abs(area) < limit ? .fair : isSure ? difference : .inconclusive
    case .java:
      verdict = abs(area) < limit ? .fair : test.p < settings.p ? difference : .inconclusive
    case .server:
      // With its sign: a control that is slower is no difference.
      let (limit, p) = OriginalSettings.server
      if area < limit, test.p > p {
        verdict = .fair
      } else {
        verdict = area > limit && test.p < p ? difference : .inconclusive
      }
    }
  }
}
