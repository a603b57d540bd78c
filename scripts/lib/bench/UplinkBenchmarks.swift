import UplinkProtocol

/// Rows 14 to 16: the statistics of the uplink check.
enum UplinkBenchmarks {
  /// Sums of differences with every sign, and with signs that are drawn.
  static func signFlips() throws {
    var generator = SplitMix64(seed: 14)
    let few = (0..<20).map { _ in Double.random(in: -1...1.2, using: &generator) }
    let many = (0..<64).map { _ in Double.random(in: -1...1.2, using: &generator) }
    let (exact, _) = try measure(runs: 5) {
      let test = try SignFlips(few)
      precondition(test.p > 0)
    }
    let (drawn, _) = try measure(runs: 5) {
      let test = try SignFlips(many, seed: 1, draws: 1_000_000)
      precondition(test.p > 0)
    }
    Measurement(
      row: 14, name: "1,048,576 sign-flip sums of 20 differences", value: exact * 1000, unit: "ms",
      details: [("drawn_1000000_of_64_ms", drawn * 1000)]
    ).report()
  }

  /// The dearest sets: of two sizes that have no divisor, far apart or nearly alike.
  static func judge() throws {
    var generator = SplitMix64(seed: 15)
    func samples(_ count: Int, _ middle: Double) -> [Double] {
      (0..<count).map { _ in middle + Double.random(in: -4...4, using: &generator) }
    }
    var worst = 0.0
    var details: [(String, Double)] = []
    for (name, count, middle) in [
      ("equal_sizes_s", 10_000, 5.5), ("alike_s", 9_999, 5), ("apart_s", 9_999, 9),
      ("unlike_s", 9_999, 20),
    ] {
      let (original, control) = (samples(10_000, 5), samples(count, middle))
      let (wall, _) = try measure(runs: 3) {
        let judgement = try OriginalJudgement(original: original, control: control, rule: .ios)
        precondition(judgement.ratio != nil)
      }
      worst = max(worst, wall)
      details.append((name, wall))
    }
    Measurement(
      row: 15, name: "judging two sets of 10,000 samples", value: worst, unit: "s", details: details
    ).report()
  }

  /// How likely slowdowns would have been seen, at the end of each check.
  static func power() throws {
    var generator = SplitMix64(seed: 16)
    let differences = (0..<64).map { _ in Double.random(in: -1...1, using: &generator) }
    let (usual, _) = try measure(runs: 3) {
      _ = try DetectionPower(Array(differences.prefix(16)), plan: .standard, seed: 1)
    }
    let plan = try LookPlan.planned(after: differences, slowdown: 1.05, power: 0.95)
    let (longest, _) = try measure(runs: 3) {
      _ = try DetectionPower(differences, plan: plan, seed: 1)
    }
    Measurement(
      row: 16, name: "power of a check with 16 pairs", value: usual, unit: "s",
      details: [("with_\(plan.pairs)_pairs_s", longest)]
    ).report()
  }
}
