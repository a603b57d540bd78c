import LunaProtocol
import LunaTesting
import Testing

struct RotationTests {
  private let start = Period.start(of: Anchor.period)

  @Test func thePeriodChangesAfterTheDelay() {
    func onAir(_ clock: Int64, _ delay: Int64) -> UInt32 {
      Rotation.periodOnAir(clock: clock, delay: delay, minimumPeriod: 0)
    }
    #expect(onAir(start - 1, 0) == Anchor.period - 1)
    #expect(onAir(start, 0) == Anchor.period)
    #expect(onAir(start + 999, 1000) == Anchor.period - 1)
    #expect(onAir(start + 1000, 1000) == Anchor.period)
    #expect(onAir(0, 5) == 0)
    #expect(onAir(.min, 0) == 0)
    #expect(onAir(.max, 0) == .max)
  }

  @Test func flashIsAtMostFourPeriodsBehind() {
    #expect(!Rotation.mustStore(103, stored: 100))
    #expect(Rotation.mustStore(104, stored: 100))
    #expect(!Rotation.mustStore(.max, stored: .max))
  }

  /// Power cuts at random moments, the clock lost each time: no period is shown twice.
  @Test func aLostClockNeverRepeatsAPeriod() {
    var random = Seeded(10)
    var stored = Anchor.period
    var shown = Set<UInt32>()
    for _ in 0..<200 {
      let restart = TrackerRestart(storedPeriod: stored, clock: nil)
      #expect(restart.isClockUncertain)
      var inThisRun = Set<UInt32>()
      let length = Int64.random(in: 0..<20_000_000, using: &random)
      for elapsed in stride(from: Int64(0), to: length, by: 300_000) {
        let period = Rotation.periodOnAir(
          clock: restart.clock + elapsed,
          delay: Int64.random(in: 0..<Period.rotationDelayLimit, using: &random),
          minimumPeriod: restart.minimumPeriod)
        if Rotation.mustStore(period, stored: stored) { stored = period }
        inThisRun.insert(period)
      }
      #expect(shown.isDisjoint(with: inThisRun))
      shown.formUnion(inThisRun)
    }
  }

  @Test func aKeptClockGoesOn() {
    let restart = TrackerRestart(storedPeriod: 7, clock: 123)
    #expect(restart.clock == 123 && restart.minimumPeriod == 7 && !restart.isClockUncertain)
    #expect(TrackerRestart(storedPeriod: .max, clock: nil).minimumPeriod == .max)
  }
}
