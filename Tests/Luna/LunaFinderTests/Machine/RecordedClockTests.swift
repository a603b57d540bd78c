import Bluetooth
import Testing

@testable import LunaFinder

@Suite struct RecordedClockTests {
  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: Driver.start.microseconds + seconds * 1_000_000)
  }

  @Test func isThatOfItsReports() {
    var clock = RecordedClock(time(0))
    clock.advance(to: time(100))
    #expect(clock.moment == FinderMoment(elapsed: .seconds(100), now: time(100)))
    // Another adapter was a little slower.
    clock.advance(to: time(98))
    #expect(clock.moment == FinderMoment(elapsed: .seconds(100), now: time(98)))
    clock.advance(to: time(101))
    #expect(clock.moment == FinderMoment(elapsed: .seconds(101), now: time(101)))
  }

  @Test func goesOnWhenItIsSetBack() {
    var clock = RecordedClock(time(0))
    clock.advance(to: time(80_000))
    clock.advance(to: time(10))
    #expect(clock.moment == FinderMoment(elapsed: .seconds(80_000), now: time(10)))
    clock.advance(to: time(70))
    #expect(clock.moment == FinderMoment(elapsed: .seconds(80_060), now: time(70)))
  }
}
