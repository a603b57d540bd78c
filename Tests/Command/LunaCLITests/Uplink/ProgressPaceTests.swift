import Testing

@testable import LunaCLI

/// How often progress is told.
struct ProgressPaceTests {
  @Test func fourTimesASecond() {
    let (pace, start) = (ProgressPace(), ContinuousClock.now)
    let told = (0..<1_000).filter { pace.isDue(at: start + .milliseconds($0)) }
    #expect(told == [0, 250, 500, 750])
  }
}
