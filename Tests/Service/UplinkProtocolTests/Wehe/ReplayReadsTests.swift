import LunaJSON
import Testing
import UplinkProtocol

struct ReplayReadsTests {
  /// So many reads of 1,000 bytes, evenly over a time.
  private func reads(_ count: Int, seconds: Double) -> ReplayReads {
    var reads = ReplayReads()
    for number in 1...count {
      reads.append(1000, at: seconds * Double(number) / Double(count))
    }
    return reads
  }

  @Test func hasAsManySamplesHoweverFast() throws {
    for seconds in [0.3, 3, 30] {
      let samples = try #require(
        reads(10_000, seconds: seconds).samples(100, .real(leastRoundTrip: 0.001)))
      #expect(samples.rates.count == 100 && samples.times.count == 100)
      #expect(abs(try #require(samples.times.last) - seconds) < 1e-9)
      let mbps = 10_000_000 * 8 / 1e6 / seconds
      #expect(samples.rates.allSatisfy { abs($0 / mbps - 1) < 0.03 })
    }
  }

  @Test func isNeverFinerThanALinkAnswers() throws {
    let reads = reads(1000, seconds: 1)
    #expect(reads.samples(100, .real(leastRoundTrip: 0.1))?.rates.count == 10)
    // 2 ms at least.
    #expect(
      self.reads(100, seconds: 0.02).samples(100, .real(leastRoundTrip: 0))?.rates.count == 10)
  }

  /// What made the original's rule say nothing of a fast link.
  @Test func leavesFewOfTheOriginals() throws {
    let samples = try #require(reads(1000, seconds: 1).samples(100, .nominal(seconds: 20)))
    #expect(samples.rates.count == 5)
    let total = zip(samples.rates, samples.times.indices).reduce(0) { sum, entry in
      let before = entry.1 > 0 ? samples.times[entry.1 - 1] : 0
      return sum + entry.0 * (samples.times[entry.1] - before)
    }
    #expect(abs(total - 8) < 1e-6)
  }

  @Test func endsSomewhere() throws {
    // A server may ask for anything, and a list may say anything.
    let samples = try #require(reads(1000, seconds: 600).samples(10_000, .nominal(seconds: 1e-9)))
    #expect(samples.rates.count <= ReplaySamples.limit)
    #expect(try ReplaySamples(json: samples.json, name: "x") == samples)
  }

  /// A server that sends byte by byte is no reason to keep each of them.
  @Test func countsEveryByte() throws {
    var reads = ReplayReads()
    for number in 1...100_000 { reads.append(1, at: Double(number) * 1e-6) }
    #expect(reads.count == 100_000 && abs(reads.seconds - 0.1) < 1e-9)
    let samples = try #require(reads.samples(10, .real(leastRoundTrip: 0)))
    #expect(samples.rates.count == 10 && samples.rates.allSatisfy { abs($0 - 8) < 0.1 })
  }

  @Test func isNothingWhereNothingCame() {
    #expect(ReplayReads().samples(100, .real(leastRoundTrip: 0)) == nil)
    var reads = ReplayReads()
    reads.append(0, at: 1)
    reads.append(5, at: .nan)
    reads.append(5, at: .infinity)
    reads.append(5, at: 0)
    #expect(reads.count == 5 && reads.samples(100, .real(leastRoundTrip: 0)) == nil)
    reads.append(5, at: 1)
    reads.append(5, at: 0.5)
    #expect(reads.seconds == 1 && reads.count == 15)
    #expect(reads.samples(0, .real(leastRoundTrip: 0)) == nil)
    #expect(reads.samples(1, .nominal(seconds: .infinity)) == nil)
    #expect(reads.samples(1, .real(leastRoundTrip: .nan)) != nil)
  }
}
