import Testing

@testable import UplinkProtocol

struct LossTrendTests {
  private static let count = 2_400

  /// Ticks in which a limit drops for a while, now and then.
  private static func ticks(_ seed: UInt64, noise: UInt64 = 0) -> [LossTick] {
    var (generator, other) = (SplitMix64(seed: seed), SplitMix64(seed: seed &+ noise &+ 1))
    var left = 0
    return (0..<count).map { _ in
      if left == 0, Double.random(in: 0..<1, using: &generator) < 0.02 {
        left = Int.random(in: 2...30, using: &generator)
      }
      left = max(0, left - 1)
      let packets = Int.random(in: 8...12, using: &other)
      let lost = left > 0 ? Int.random(in: 0...3, using: &other) : 0
      return LossTick(sent: packets * 1_400, lost: lost * 1_400, packets: packets)
    }
  }

  /// UPLINK.md, 9: 10 to 50 round trips, to the ms, where 30 of them fit.
  @Test func intervalsHaveLengths() {
    let lengths = LossIntervals.lengths(roundTrip: 0.0104, duration: 10)
    #expect(lengths.first == 0.104 && lengths.last == 0.333 && lengths.count == 23)
    #expect(LossIntervals.lengths(roundTrip: 0.01, duration: 2.9).isEmpty)
    #expect(LossIntervals.lengths(roundTrip: 0.01, duration: 3) == [0.1])
    #expect(LossIntervals.lengths(roundTrip: 0.001, duration: 100).count == 41)
    #expect(LossIntervals.lengths(roundTrip: 0, duration: 100).isEmpty)
  }

  @Test func sharesAreThoseOfBoth() {
    func tick(_ lost: Int, packets: Int = 20) -> LossTick {
      LossTick(sent: 100, lost: lost, packets: packets)
    }
    let first = [
      tick(0), tick(0), tick(0), tick(5), tick(0), tick(9, packets: 10), tick(0), tick(1),
    ]
    let second = [tick(0), tick(0), tick(0), tick(0), tick(2), tick(0), tick(0), tick(0)]
    let shares = LossIntervals.shares(LossSeries(first), LossSeries(second), ticks: 1)
    // Three without loss are one; where one sent too little nothing is said, and those around stay apart.
    #expect(shares.first == [0, 0.05, 0, 0, 0.01])
    #expect(shares.second == [0, 0, 0.02, 0, 0])
    #expect(
      LossIntervals.shares(LossSeries(first), LossSeries(second), ticks: 4).first == [
        0.0125, 0.025,
      ])
    #expect(LossIntervals.shares(LossSeries([]), LossSeries([]), ticks: 4).first.isEmpty)
  }

  @Test func findsLossesThatComeTogether() throws {
    let trend = try #require(
      LossTrend(Self.ticks(1), Self.ticks(1, noise: 7), roundTrip: 0.02, seed: 3))
    #expect(trend.isCommon && trend.p <= 0.01 && trend.loss > 0.001)
  }

  @Test func lossesOfTheirOwnAreRarelyTaken() throws {
    var wrong = 0
    for seed in UInt64(0)..<5 {
      let trend = try #require(
        LossTrend(Self.ticks(100 + seed), Self.ticks(200 + seed), roundTrip: 0.02, seed: seed))
      if trend.isCommon { wrong += 1 }
    }
    #expect(wrong <= 1)
  }

  @Test func saysNothingOfLittle() {
    let clean = [LossTick](repeating: LossTick(sent: 14_000, lost: 0, packets: 10), count: 2_400)
    #expect(LossTrend(clean, Self.ticks(1), roundTrip: 0.02, seed: 1) == nil)
    #expect(LossTrend(Self.ticks(1), clean, roundTrip: 0.02, seed: 1) == nil)
    let short = Array(Self.ticks(1).prefix(500))
    #expect(LossTrend(short, short, roundTrip: 0.02, seed: 1) == nil)
    // So few intervals fit.
    #expect(LossTrend(Self.ticks(1), Self.ticks(1), roundTrip: 0.2, seed: 1) == nil)
    #expect(LossTrend([], [], roundTrip: 0.02, seed: 1) == nil)
  }
}
