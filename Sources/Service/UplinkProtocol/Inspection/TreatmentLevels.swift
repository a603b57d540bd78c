import Glibc

/// The two levels between which probes decide: that of originals, which are treated, and that of controls.
struct TreatmentLevels: Sendable {
  /// Closer than so many deviations the two cannot be told apart.
  static let least = 2.5
  /// Nothing is taken for steadier, as a logarithm: 5 %.
  private static let leastDeviation = 0.05

  let treated: Double
  let untreated: Double
  /// How much slots of either kind vary.
  let deviation: Double
  /// What a slot counts as that failed: a sixteenth of the usual speed (UPLINK.md, 8.2). Nil where none of these did:
  /// one that fails all the same says nothing of either level.
  private let failed: Double?

  /// Of slots whose rates were measured; nil where too few of a kind were.
  init?(treated: [SlotOutcome], untreated: [SlotOutcome]) {
    let rates = (treated + untreated).compactMap { outcome in
      if case .measured(let rate) = outcome, rate > 0, rate.isFinite { rate } else { nil }
    }
    guard let median = Samples.median(rates) else { return nil }
    let failed = log(median) - PairDifferences.largest
    let levels = [treated, untreated].map { outcomes in
      outcomes.compactMap { TreatmentLevels.value(of: $0, failed: failed) }
    }
    guard levels.allSatisfy({ $0.count > 1 }) else { return nil }
    let means = levels.map { Samples.mean($0) }
    self.failed = (treated + untreated).contains(.failed) ? failed : nil
    self.treated = means[0]
    self.untreated = means[1]
    var squares = 0.0
    for (values, mean) in zip(levels, means) {
      for value in values { squares += (value - mean) * (value - mean) }
    }
    let freedom = Double(levels[0].count + levels[1].count - 2)
    deviation = max((squares / freedom).squareRoot(), TreatmentLevels.leastDeviation)
  }

  /// Whether they are far enough from each other.
  var areApart: Bool { abs(treated - untreated) >= TreatmentLevels.least * deviation }

  /// How much more likely what came of a slot is at the level of controls than at that of originals, as a logarithm;
  /// 0 where it says nothing.
  func evidence(of outcome: SlotOutcome) -> Double {
    guard let value = TreatmentLevels.value(of: outcome, failed: failed) else { return 0 }
    let middle = (treated + untreated) / 2
    return (value - middle) * (untreated - treated) / (deviation * deviation)
  }

  private static func value(of outcome: SlotOutcome, failed: Double?) -> Double? {
    switch outcome {
    case .measured(let rate): rate > 0 && rate.isFinite ? log(rate) : nil
    case .failed: failed
    case .tooFast: nil
    }
  }
}
