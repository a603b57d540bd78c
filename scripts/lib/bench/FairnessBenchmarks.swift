import UplinkProtocol

/// Rows 18 and 19: how often a check by pairs is wrong, and what it finds, without a second one to confirm it.
enum FairnessBenchmarks {
  /// How long a slot takes at most, s, and how many bytes it has where all of a check has 100 MB.
  private static let slot = (seconds: 1.5, megabytes: 100.0 / Double(ModelLink.slots))

  /// Fair links of all kinds; beside it the rule of Wehe's app, on one replay of each kind over the same links.
  static func falseAlarms() throws {
    var generator = SplitMix64(seed: 18)
    var (alarms, original) = (0, 0)
    for _ in 0..<1_000 {
      let link = ModelLink(
        spread: .random(in: 0.05...1, using: &generator),
        memory: .random(in: 0...0.9, using: &generator),
        drift: .random(in: -1...1, using: &generator), outages: 0.05)
      if try verdict(link, slowdown: 1, &generator).verdict.needsConfirmation { alarms += 1 }
      if try isUnfairByOneRun(link, &generator) { original += 1 }
    }
    Measurement(
      row: 18, name: "false alarms on 1,000 fair links", value: Double(alarms), unit: "",
      details: [("one_run_of_the_original", Double(original))]
    ).report()
  }

  /// Half the speed, on links that vary by up to 0.5.
  static func slowdowns() throws {
    var generator = SplitMix64(seed: 19)
    var (found, pairs, late) = (0, 0, 0)
    for _ in 0..<1_000 {
      let link = ModelLink(
        spread: .random(in: 0.05...0.5, using: &generator), memory: 0, drift: 0, outages: 0)
      let (said, count) = try verdict(link, slowdown: 2, &generator)
      let seconds = Double(2 * count + 2) * slot.seconds
      if seconds > 60 { late += 1 }
      if said == .throttled, seconds <= 60 { found += 1 }
      pairs += count
    }
    let mean = Double(pairs) / 1_000
    let shares = try [0.3, 0.4, 0.5].map { spread in
      ("at_\(spread)", try share(of: 2, foundAt: spread, &generator))
    }
    Measurement(
      row: 19, name: "twofold slowdowns that are found in a minute", value: Double(found) / 10,
      unit: "%",
      details: [
        ("mean_pairs", mean), ("mean_megabytes", (2 * mean + 2) * slot.megabytes),
        ("later", Double(late)),
      ] + shares
    ).report()
  }

  /// How many of 1,000 slowdowns are found in a minute, percent, on links that all vary as much.
  private static func share(
    of slowdown: Double, foundAt spread: Double, _ generator: inout SplitMix64
  ) throws -> Double {
    var found = 0
    for _ in 0..<1_000 {
      let link = ModelLink(spread: spread, memory: 0, drift: 0, outages: 0)
      let (said, count) = try verdict(link, slowdown: slowdown, &generator)
      if said == .throttled, Double(2 * count + 2) * slot.seconds <= 60 { found += 1 }
    }
    return Double(found) / 10
  }

  private static func verdict(
    _ link: ModelLink, slowdown: Double, _ generator: inout SplitMix64
  ) throws -> (verdict: FairnessVerdict, pairs: Int) {
    var link = link
    var pairs: [SlotPair] = []
    for look in LookPlan.standard.looks {
      while pairs.count < look.pairs {
        let isOriginalFirst = Bool.random(using: &generator)
        let first = link.slot(isOriginalFirst ? slowdown : 1, &generator)
        let second = link.slot(isOriginalFirst ? 1 : slowdown, &generator)
        pairs.append(
          isOriginalFirst
            ? SlotPair(original: first, control: second)
            : SlotPair(original: second, control: first))
      }
      let estimate = try FairnessEstimate(
        PairDifferences(pairs, .rate), at: look, isLast: look.pairs == LookPlan.standard.pairs,
        seed: generator.next())
      if let verdict = estimate.verdict { return (verdict, pairs.count) }
    }
    preconditionFailure("a check without an end")
  }

  /// A transfer is as fast as the link is then; its buckets vary little more.
  private static func isUnfairByOneRun(
    _ link: ModelLink, _ generator: inout SplitMix64
  ) throws -> Bool {
    var link = link
    var sides: [[Double]] = []
    for _ in 0..<2 {
      let rate = link.speed(&generator) * 8 / 1e6
      var samples: [Double] = []
      for _ in 0..<100 { samples.append(rate * (1 + 0.1 * abs(ModelLink.normal(&generator)))) }
      sides.append(samples)
    }
    let judgement = try OriginalJudgement(original: sides[0], control: sides[1], rule: .ios)
    return judgement.verdict == .throttled || judgement.verdict == .prioritised
  }
}
