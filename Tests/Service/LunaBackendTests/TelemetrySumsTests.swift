import Testing

@testable import LunaBackend

@Suite("Sums of telemetry")
struct TelemetrySumsTests {
  @Test("Numbers are added up, words are counted")
  func adds() {
    var sums = TelemetrySums()
    sums.add("3", count: 2)
    sums.add("-1.5", count: 1)
    sums.add("open", count: 4)
    sums.add("1000", count: 1)
    #expect(sums.count == 8)
    #expect(sums.sum == 1004.5)
    #expect(sums.low == -1.5 && sums.high == 1000)
    #expect(sums.counts[0] == 1 && sums.counts[2] == 2 && sums.counts[10] == 1)
    #expect(TelemetrySums.counts(sums.bytes) == sums.counts)
  }

  @Test("Sums of damaged rows end at the largest number")
  func damaged() {
    var sums = TelemetrySums()
    sums.add("3", count: .max)
    var other = sums
    other.add("3", count: 1)
    sums.merge(other)
    #expect(sums.count == .max && sums.counts[2] == .max)
    let last = SampleField.eventsLost
    let none = [Double?](repeating: nil, count: SampleField.allCases.count)
    var sample = StoredSample(values: none, count: .max)
    sample.values[last.rawValue] = 0x1p63
    sample.values[SampleField.advertisers.rawValue] = 2
    sample.merge(sample)
    #expect(sample.count == .max && sample.whole(last) == nil)
    sample.values[last.rawValue] = -0x1p63
    #expect(sample.whole(last) == nil)
    #expect(sample.whole(.recoveries) == nil && sample.whole(.advertisers) != nil)
  }

  @Test("What is no number", arguments: ["nan", "inf", "0x10", "", "1,5", " 1", "1e400", "1e300"])
  func noNumber(text: String) { #expect(TelemetrySums.number(text) == nil) }

  @Test(
    "Buckets double",
    arguments: [(-5.0, 0), (0, 0), (0.9, 0), (1, 1), (1.9, 1), (2, 2), (4, 3), (1e14, 31)])
  func buckets(value: Double, bucket: Int) { #expect(TelemetrySums.bucket(value) == bucket) }
}
