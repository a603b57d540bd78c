import Testing

@testable import UplinkProtocol

/// How fast a slot was.
struct SlotCurveTests {
  /// A slot of a second that begins slowly: 100 bytes in its first quarter, then 3,000 each second.
  private func slowStart() -> SlotCurve {
    var curve = SlotCurve()
    for step in 1...100 {
      let time = Double(step) / 100
      let bytes = time <= 0.25 ? 400 * time : 100 + 3_000 * (time - 0.25)
      curve.add(Int(bytes.rounded()), at: time)
    }
    return curve
  }

  private func rate(_ outcome: SlotOutcome) throws -> Double {
    guard case .measured(let rate) = outcome else { throw Unmeasured() }
    return rate
  }

  private struct Unmeasured: Error {}

  @Test func theBeginningIsNotCounted() throws {
    let curve = slowStart()
    #expect(curve.bytes == 2_350 && curve.seconds == 1)
    #expect(abs(try rate(curve.outcome(leastRoundTrip: 0)) - 3_000) < 20)
    // Three round trips are more than a quarter.
    #expect(abs(try rate(curve.outcome(leastRoundTrip: 0.2)) - 3_000) < 20)
    let fastest = try #require(curve.fastest(leastRoundTrip: 0))
    #expect((2_800...3_400).contains(fastest))
  }

  /// What goes at once at the beginning is not how fast the way is.
  @Test func aBurstIsNotTheFastest() throws {
    var curve = SlotCurve()
    curve.add(10_000, at: 0.002)
    for step in 1...100 { curve.add(10_000 + 100 * step, at: 0.002 + Double(step) / 100) }
    for roundTrip in [0, 0.1] {
      let fastest = try #require(curve.fastest(leastRoundTrip: roundTrip))
      #expect((9_000...11_000).contains(fastest))
    }
    // Nothing counts: the last part is that of the burst.
    var whole = SlotCurve()
    whole.add(10_000, at: 0.002)
    #expect(try #require(whole.fastest(leastRoundTrip: 0.1)) > 100_000)
  }

  @Test func whatCountsHasToLast() {
    var curve = SlotCurve()
    curve.add(1_000, at: 0.012)
    #expect(curve.outcome(leastRoundTrip: 0) == .tooFast)
    #expect(slowStart().outcome(leastRoundTrip: 0.4) == .tooFast)
    #expect(SlotCurve().outcome(leastRoundTrip: 0) == .failed)
    #expect(SlotCurve().fastest(leastRoundTrip: 0) == nil)
  }

  @Test func samplesAreOfEqualBytes() {
    let samples = slowStart().samples
    #expect(samples.count == 25 && samples[24] == [1, 2_350])
    for (index, sample) in samples.enumerated() {
      #expect(abs(sample[1] - 94 * Double(index + 1)) < 1e-9)
      #expect(index == 0 || sample[0] > samples[index - 1][0])
    }
  }

  @Test func memoryHasAnEnd() {
    var curve = SlotCurve()
    for step in 1...100_000 { curve.add(step, at: Double(step) / 100) }
    #expect(curve.bytes == 100_000 && curve.seconds == 1_000 && curve.samples.count == 25)
    curve.add(5, at: 2_000)
    curve.add(200_000, at: 1)
    #expect(curve.bytes == 100_000)
  }
}
