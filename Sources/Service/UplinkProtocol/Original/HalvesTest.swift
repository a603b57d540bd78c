/// Whether halves of two sets of samples say the same as the whole sets.
struct HalvesTest {
  /// How often halves are drawn.
  static let draws = 100
  /// What a probability is compared with.
  static let level = 0.05

  private let first: [Double]
  private let second: [Double]
  private let paths: LatticePaths
  /// Distances, in the steps of the halves, up to which the probability is known to be above the level,
  /// and from which on it is known to be below. It falls as they grow.
  private var above = 0
  private var below: Int

  /// Nil where half of a set is nothing.
  init?(_ first: [Double], _ second: [Double]) {
    guard first.count > 1, second.count > 1 else { return nil }
    self.first = first.sorted()
    self.second = second.sorted()
    let (n, m) = (first.count / 2, second.count / 2)
    paths = LatticePaths(n, m)
    below = paths.multiple + 1
    // Far out, counting takes long, and it is well known how likely that is: about 0.0003 from here on.
    let root = (Double(n + m) / (Double(n) * Double(m))).squareRoot()
    let far = Int(min(1, 2.1 * root) * Double(paths.multiple))
    if paths.shareReaching(far) < HalvesTest.level { below = far }
  }

  /// In which share of draws the probability is above the level, if `p` is not below it, else in
  /// which share it is below.
  mutating func share(agreeingWith p: Double, _ generator: inout SplitMix64) -> Double {
    let wantsAbove = p >= HalvesTest.level
    var count = 0
    for _ in 0..<HalvesTest.draws {
      let steps = KolmogorovSmirnov.steps(
        Samples.draw(first.count / 2, of: first, &generator),
        Samples.draw(second.count / 2, of: second, &generator))
      if wantsAbove ? isAbove(steps) : isBelow(steps) { count += 1 }
    }
    return Double(count) / Double(HalvesTest.draws)
  }

  private mutating func isAbove(_ steps: Int) -> Bool {
    look(at: steps)
    return steps <= above
  }

  private mutating func isBelow(_ steps: Int) -> Bool {
    look(at: steps)
    return steps >= below
  }

  private mutating func look(at steps: Int) {
    guard steps > above, steps < below else { return }
    let share = paths.shareReaching(steps)
    if share > HalvesTest.level { above = steps }
    if share < HalvesTest.level { below = steps }
  }
}
