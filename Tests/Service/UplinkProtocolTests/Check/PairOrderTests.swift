import Testing
import UplinkProtocol

struct PairOrderTests {
  private static let seeds = 10_000
  private static let coins = 16

  /// Five deviations of as many fair coins: what a fair generator passes in all but one of a million.
  private static let tolerance = 2.5 / Double(seeds).squareRoot()

  private let drawn = (0..<UInt64(seeds)).map { seed in
    var order = PairOrder(seed: seed)
    return (0..<coins).map { _ in order.nextIsOriginalFirst() }
  }

  private func share(_ isTrue: ([Bool]) -> Bool) -> Double {
    Double(drawn.count(where: isTrue)) / Double(Self.seeds)
  }

  @Test func everyCoinIsFair() {
    for coin in 0..<Self.coins {
      #expect(abs(share { $0[coin] } - 0.5) < Self.tolerance, "\(coin)")
    }
  }

  @Test func coinsOfASeedAreIndependent() {
    for first in 0..<Self.coins {
      for second in (first + 1)..<Self.coins {
        #expect(abs(share { $0[first] == $0[second] } - 0.5) < Self.tolerance, "\(first) \(second)")
      }
    }
  }

  @Test func coinsOfNeighboursAreIndependent() {
    for step in [1, 2, 256] {
      for coin in 0..<Self.coins {
        let equal = zip(drawn, drawn.dropFirst(step)).count { $0[coin] == $1[coin] }
        let share = Double(equal) / Double(Self.seeds - step)
        #expect(abs(share - 0.5) < Self.tolerance * 1.02, "\(step) \(coin)")
      }
    }
  }

  /// No two of the seeds give one order of 16 pairs more often than chance does.
  @Test func ordersAreSpread() {
    // 10,000 of 65,536 orders: about 9,270 different ones, with a deviation of about 24.
    #expect(abs(Set(drawn).count - 9_273) < 120)
  }

  @Test func aSeedRepeats() {
    var (one, other) = (PairOrder(seed: 77), PairOrder(seed: 77))
    for _ in 0..<100 { #expect(one.nextIsOriginalFirst() == other.nextIsOriginalFirst()) }
  }
}
