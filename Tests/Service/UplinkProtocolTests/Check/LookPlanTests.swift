import Testing
import UplinkProtocol

struct LookPlanTests {
  @Test func usualLooksSpendOnePercent() {
    let looks = LookPlan.standard.looks
    #expect(looks.map(\.pairs) == [10, 13, 16])
    #expect(looks.map(\.alpha) == [0.002, 0.002, 0.006])
    #expect(looks.map(\.gamma) == [0.01, 0.01, 0.05])
  }

  @Test func hasAsManyPairsAsAreWanted() {
    #expect(LookPlan.fixed(16) == .standard)
    for (count, looks) in [(10, [10]), (11, [10, 11]), (24, [10, 17, 24]), (64, [10, 37, 64])] {
      let plan = LookPlan.fixed(count)
      #expect(plan.looks.map(\.pairs) == looks)
      // Still 1 % in all.
      #expect(plan.looks.reduce(0) { $0 + $1.alpha } <= 0.01 && plan.looks.last?.alpha == 0.006)
    }
    #expect(LookPlan.fixed(9).pairs == 10 && LookPlan.fixed(65).pairs == 64)
  }

  /// ((2.576 + 1.645) · 0.5 / ln 1.5)² is 27.1: 28 and 2.
  @Test func plansForASlowdown() throws {
    let differences = [0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5]
    let plan = try LookPlan.planned(after: differences, slowdown: 1.5, power: 0.95)
    #expect(plan.looks.map(\.pairs) == [10, 18, 30])
    // Signs do not enter.
    let same = try LookPlan.planned(
      after: differences.map { abs($0) }, slowdown: 1.5, power: 0.95)
    #expect(same == plan)
  }

  @Test func staysWithinItsBounds() throws {
    let quiet = try LookPlan.planned(
      after: [Double](repeating: 0.01, count: 10), slowdown: 2, power: 0.9)
    #expect(quiet.looks.map(\.pairs) == [10, 16])
    let loud = try LookPlan.planned(
      after: [Double](repeating: 2, count: 10), slowdown: 1.01, power: 0.99)
    #expect(loud.looks.map(\.pairs) == [10, 39, 64])
    #expect(loud.looks.last?.alpha == 0.006 && loud.looks.last?.gamma == 0.05)
  }

  @Test(arguments: [
    (1.0, 0.9), (0.5, 0.9), (.infinity, 0.9), (.nan, 0.9), (2, 0), (2, 1), (2, .nan),
  ])
  func refuses(_ slowdown: Double, _ power: Double) {
    #expect(throws: StatisticsError.self) {
      try LookPlan.planned(after: [0.1, 0.2], slowdown: slowdown, power: power)
    }
  }
}
