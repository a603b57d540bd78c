import Bluetooth
import Testing

/// When a source listens.
@Suite struct ScanRhythmTests {
  @Test func allOfACycleIsAlwaysAndNothingOfItIsNever() {
    for listening in [Duration.seconds(-1), .zero] {
      #expect(ScanRhythm(listening: listening, of: .seconds(12)) == .paused)
    }
    for listening in [Duration.seconds(12), .seconds(13)] {
      #expect(ScanRhythm(listening: listening, of: .seconds(12)) == .steady)
    }
    #expect(ScanRhythm.paused.share == 0 && ScanRhythm.steady.share == 1)
  }

  @Test func itListensAtTheBeginningOfEachCycle() {
    let rhythm = ScanRhythm(listening: .seconds(3), of: .seconds(12))
    #expect(rhythm.share == 0.25)
    let moments: [Duration] = [
      .zero, .microseconds(2_999_999), .seconds(3), .microseconds(11_999_999), .seconds(12),
      .seconds(15),
    ]
    #expect(
      moments.map { rhythm.isListening(after: $0) } == [true, true, false, false, true, false])
    #expect(moments.allSatisfy { ScanRhythm.steady.isListening(after: $0) })
    #expect(!moments.contains { ScanRhythm.paused.isListening(after: $0) })
  }
}
