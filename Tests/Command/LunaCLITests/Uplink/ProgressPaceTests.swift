import Testing

@testable import LunaCLI

/// How often progress is told.
struct ProgressPaceTests {
  @Test func fourTimesASecond() {
    let (pace, start) = (ProgressPace(), ContinuousClock.now)
    let told = (0..<1_000).filter { pace.isDue(at: start + .milliseconds($0)) }
    #expect(told == [0, 250, 500, 750])
    let slow = ProgressPace(.seconds(5))
    #expect((0..<11).filter { slow.isDue(at: start + .seconds($0)) } == [0, 5, 10])
  }
}
