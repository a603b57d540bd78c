import Glibc
import Testing
import UplinkProtocol

struct PairDifferencesTests {
  private func pair(_ original: SlotOutcome, _ control: SlotOutcome) -> SlotPair {
    SlotPair(original: original, control: control)
  }

  @Test func areOfLogarithms() throws {
    let pairs = [pair(.measured(100), .measured(200)), pair(.measured(3), .measured(1))]
    let rates = try PairDifferences(pairs, .rate)
    #expect(abs(rates.values[0] + log(2)) < 1e-12 && abs(rates.values[1] - log(3)) < 1e-12)
    // A longer round trip is slower.
    let times = try PairDifferences(pairs, .roundTrip)
    #expect(abs(times.values[0] - log(2)) < 1e-12)
  }

  @Test func areCut() throws {
    let pairs = [pair(.measured(1), .measured(1e9)), pair(.measured(1e9), .measured(1))]
    #expect(try PairDifferences(pairs, .rate).values == [-log(16.0), log(16.0)])
  }

  /// A sixteenth of the median of all good ones, which is 4 (of 2, 4, 4, 8) or 5 (of 2, 4, 6, 8).
  @Test func failedSlotsAreVerySlow() throws {
    let pairs = [
      pair(.failed, .measured(4)), pair(.measured(2), .measured(4)), pair(.measured(8), .failed),
    ]
    let found = try PairDifferences(pairs, .rate)
    #expect(abs(found.values[0] - log(4.0 / 16 / 4)) < 1e-12)
    #expect(abs(found.values[2] - log(16.0)) < 1e-12)  // 32, cut
    #expect(found.failedOriginals == 1 && found.failedControls == 1)
    let times = try PairDifferences(
      [
        pair(.failed, .measured(4)), pair(.measured(2), .measured(8)),
        pair(.measured(6), .measured(4)),
      ],
      .roundTrip)
    #expect(abs(times.values[0] - log(4.0 / (16 * 4))) < 1e-12)
  }

  @Test func allFailedAreAlike() throws {
    let found = try PairDifferences([pair(.failed, .failed), pair(.failed, .failed)], .rate)
    #expect(found.values == [0, 0] && found.failedControls == 2)
  }

  @Test func tooFastHasNoDifference() throws {
    let found = try PairDifferences(
      [pair(.tooFast, .measured(4)), pair(.measured(4), .measured(4))], .rate)
    #expect(found.values == [0] && found.tooFast == 1 && found.pairs == 2)
  }

  @Test(arguments: [0, -1, .nan, .infinity])
  func refuses(_ measure: Double) {
    #expect(throws: StatisticsError.self) {
      try PairDifferences([pair(.measured(measure), .measured(1))], .rate)
    }
  }
}
