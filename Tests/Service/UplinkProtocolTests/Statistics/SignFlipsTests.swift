import Glibc
import Testing

@testable import UplinkProtocol

struct SignFlipsTests {
  private func every(_ numbers: [Double], shiftedBy shift: Double = 0) -> Double {
    let numbers = numbers.map { $0 - shift }
    let sum = numbers.reduce(0, +)
    let count = (0..<(1 << numbers.count)).count { flip in
      let flipped = numbers.enumerated().reduce(0.0) { total, item in
        total + (flip >> item.offset & 1 == 1 ? item.element : -item.element)
      }
      return abs(flipped) >= abs(sum) * (1 - 1e-12)
    }
    return Double(count) / Double(1 << numbers.count)
  }

  @Test func countsEverySum() throws {
    var generator = SplitMix64(seed: 1)
    for count in 1...11 {
      let numbers = (0..<count).map { _ in Double.random(in: -1...1.5, using: &generator) }
      #expect(try SignFlips(numbers).p == every(numbers))
    }
  }

  @Test func sumsThatCancelAreEqual() throws {
    // 0.1 + 0.2 - 0.3 is not 0 in binary.
    #expect(try SignFlips([0.1, 0.2, -0.3]).p == 1)
    #expect(try SignFlips([0, 0, 0]).p == 1)
    #expect(try SignFlips([0.7]).p == 1)
    #expect(try SignFlips([0.3, 0.3, 0.3, 0.3]).p == 0.125)
  }

  @Test func intervalHoldsWhatIsNotContradicted() throws {
    let numbers = [-0.9, -0.6, -0.8, -0.7, -1.1, -0.4, -0.75, -0.65, -0.85, 0.1]
    for gamma in [0.01, 0.05, 0.3] {
      let (low, high) = try SignFlips(numbers).interval(gamma)
      let (least, greatest) = (try #require(low), try #require(high))
      #expect(every(numbers, shiftedBy: least + 1e-4) > gamma)
      #expect(every(numbers, shiftedBy: least - 1e-4) <= gamma)
      #expect(every(numbers, shiftedBy: greatest - 1e-4) > gamma)
      #expect(every(numbers, shiftedBy: greatest + 1e-4) <= gamma)
    }
  }

  /// Whatever a link does, and however much more at times: coins alone decide which way.
  @Test func intervalsCoverWhatIsTrue() throws {
    var generator = SplitMix64(seed: 3)
    let truth = -0.3
    var missed = 0
    for run in 0..<10_000 {
      var numbers: [Double] = []
      for _ in 0..<10 {
        let size = Double.random(in: 0...1, using: &generator)
        let noise = 4 * size * size * size
        numbers.append(truth + (Bool.random(using: &generator) ? noise : -noise))
      }
      let isCovered = try SignFlips(numbers.map { $0 - truth }).p > 0.05
      if !isCovered { missed += 1 }
      // An interval is dear: it holds just those that are not contradicted.
      guard run < 100 else { continue }
      let (low, high) = try SignFlips(numbers).interval(0.05)
      let (least, greatest) = (try #require(low), try #require(high))
      #expect((least <= truth && truth <= greatest) == isCovered)
    }
    // 50 of 1,024 flips are so far out: of 10,000 runs 488, give or take three times 22.
    #expect((422...554).contains(missed))
  }

  @Test func fewDifferencesHaveNoBounds() throws {
    // Of seven, the least p is 2 of 128.
    let seven = try SignFlips([1, 2, 3, 4, 5, 6, 7]).interval(0.01)
    #expect(seven.low == nil && seven.high == nil)
    let eight = try SignFlips([1, 2, 3, 4, 5, 6, 7, 8]).interval(0.01)
    #expect(eight.low != nil && eight.high != nil)
    let equal = try SignFlips([Double](repeating: 0.2, count: 8)).interval(0.01)
    for side in [equal.low, equal.high] { #expect(abs(try #require(side) - 0.2) < 1e-4) }
  }

  @Test(arguments: [0, 1, -0.1, .nan, .infinity])
  func refusesLevels(_ gamma: Double) {
    let error = #expect(throws: StatisticsError.self) { try SignFlips([1, 2]).interval(gamma) }
    #expect(error?.kind == .outOfRange)
  }

  @Test func refusesWhatItCannotAdd() {
    #expect(throws: StatisticsError.self) { try SignFlips([1e300, 1e300]) }
    let many = [Double](repeating: 1, count: SignFlips.limit + 1)
    #expect(throws: StatisticsError.self) { try SignFlips(many) }
  }

  /// Beyond 20 differences flips are drawn: near to what all of them say, and the same for a seed.
  @Test func drawnFlipsAreNearToAll() throws {
    var generator = SplitMix64(seed: 4)
    let numbers = (0..<16).map { _ in Double.random(in: -1...1.4, using: &generator) }
    let exact = try SignFlips(numbers)
    let flips = RandomFlips(of: numbers, count: 20_000, seed: 9)
    let sum = abs(numbers.reduce(0, +))
    let drawn = flips.share(atLeast: sum * (1 - 1e-12), shiftedBy: 0)
    #expect(abs(drawn - exact.p) < 4 * (exact.p * (1 - exact.p) / 20_000).squareRoot() + 1e-4)
    // And shifted: the same flips of shifted numbers.
    let shifted = RandomFlips(of: numbers.map { $0 - 0.3 }, count: 20_000, seed: 9)
    #expect(
      flips.share(atLeast: 1, shiftedBy: 0.3) == shifted.share(atLeast: 1, shiftedBy: 0))
    let many = (0..<64).map { _ in Double.random(in: -1...1.2, using: &generator) }
    let (one, same) = (
      try SignFlips(many, seed: 5, draws: 2_000), try SignFlips(many, seed: 5, draws: 2_000)
    )
    #expect(one.p == same.p && one.p > 0)
    let interval = try one.interval(0.05)
    let (low, high) = (try #require(interval.low), try #require(interval.high))
    #expect(low < one.mean && one.mean < high)
  }

  /// The interval of a level holds the truth at least as often as it says.
  @Test func intervalsCoverTheTruth() throws {
    var generator = SplitMix64(seed: 2)
    var covered = 0
    let runs = 600
    for run in 0..<runs {
      // Differences around ln 0.7, of several kinds: even, two-sided exponential, with outliers.
      let truth = log(0.7)
      let numbers = (0..<12).map { _ in
        let even = Double.random(in: -1...1, using: &generator)
        let size = -log(1 - Double.random(in: 0..<1, using: &generator))
        let noise =
          switch run % 3 {
          case 0: even * 0.4
          case 1: (even < 0 ? -1 : 1) * size * 0.4
          default: even * (size > 2.3 ? 4 : 0.3)
          }
        return truth + noise
      }
      let (low, high) = try SignFlips(numbers).interval(0.05)
      if (low ?? -.infinity) <= truth, truth <= (high ?? .infinity) { covered += 1 }
    }
    #expect(
      Double(covered) >= 0.95 * Double(runs) - 1.5 * (0.05 * 0.95 * Double(runs)).squareRoot())
  }
}
