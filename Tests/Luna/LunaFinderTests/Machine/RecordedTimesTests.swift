import Bluetooth
import Testing

@testable import LunaFinder

/// Which times of a recording are believed.
@Suite struct RecordedTimesTests {
  private static let day = 86_400

  /// Reports at seconds after the start; nil is no time.
  private func reports(_ seconds: [Int?]) -> [AdvertisingReport] {
    seconds.map { second in
      let time = second.map {
        Timestamp(microseconds: Driver.start.microseconds + Int64($0) * 1_000_000)
      }
      return Samples.report([], 1, at: time ?? .unknown)
    }
  }

  private func seconds(_ reports: [AdvertisingReport]) -> [Int?] {
    reports.map {
      guard $0.time != .unknown else { return nil }
      return Int(($0.time.microseconds - Driver.start.microseconds) / 1_000_000)
    }
  }

  /// What comes of a recording, read in batches.
  private func judged(_ times: [Int?], batch: Int) -> [Int?] {
    var judge = RecordedTimes()
    var result: [AdvertisingReport] = []
    let all = reports(times)
    for first in stride(from: 0, to: all.count, by: batch) {
      result += judge.take(Array(all[first..<min(first + batch, all.count)]))
    }
    return seconds(result + judge.finish())
  }

  @Test(arguments: [1, 3, 1024]) func aNightIsBelieved(batch: Int) {
    let night = (0..<200).map { $0 * 300 }
    #expect(judged(night, batch: batch) == night)
    // Nothing waits for what comes next.
    var judge = RecordedTimes()
    #expect(seconds(judge.take(reports([0]))) == [0])
    #expect(seconds(judge.take(reports([4000, 8000]))) == [4000, 8000])
  }

  @Test func oneAtTheBeginningSpoilsNothing() {
    let rest = Array(1...50)
    #expect(judged([2 * Self.day] + rest, batch: 1024) == [nil] + rest)
    #expect(judged([2 * Self.day, 1], batch: 1024) == [nil, 1])
    #expect(judged([-2 * Self.day] + rest, batch: 1024) == [nil] + rest)
  }

  @Test(arguments: [1, 3, 1024]) func someInBetweenSpoilNothing(batch: Int) {
    var times: [Int?] = Array(0..<60)
    var expected = times
    for (index, wrong) in [(20, 2), (21, 2), (22, -40), (40, 3000), (59, 2)] {
      times[index] = wrong * Self.day
      expected[index] = nil
    }
    #expect(judged(times, batch: batch) == expected)
  }

  /// A clock that is set for good, either way, loses nothing.
  @Test(arguments: [1, 3, 1024], [-30, 3]) func aClockThatIsSetIsFollowed(batch: Int, days: Int) {
    let times = Array(0..<20) + (20..<40).map { $0 + days * Self.day }
    #expect(judged(times, batch: batch) == times)
  }

  @Test(arguments: [1, 1024]) func whatHasNoTimeKeepsItsPlace(batch: Int) {
    let times: [Int?] = [nil, 0, 1, nil, 2, 3, nil]
    #expect(judged(times, batch: batch) == times)
    #expect(judged([nil, nil], batch: batch) == [nil, nil])
    // 1970 is a time, but none at which a tracker was heard.
    let unset = Int(-Driver.start.microseconds / 1_000_000)
    #expect(judged([unset, unset + 1, 5], batch: batch) == [nil, nil, 5])
  }

  /// Otherwise all that comes would be kept, and looked at each time.
  @Test func whoWaitsForNeighboursDoesNotWaitForEver() {
    var judge = RecordedTimes()
    var judged = judge.take(reports(Array(0..<10) + [2 * Self.day]))
    #expect(judged.count == 10)
    for _ in 1..<RecordedTimes.patience { judged += judge.take(reports([nil])) }
    var expected: [Int?] = Array(0..<10)
    expected += [Int?](repeating: nil, count: RecordedTimes.patience)
    #expect(seconds(judged) == expected)
    #expect(seconds(judge.take(reports([20]))) == [20])
  }
}
