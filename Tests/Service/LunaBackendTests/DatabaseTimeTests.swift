import Bluetooth
import Testing

@testable import LunaBackend

/// What time it is at the database.
@Suite(.timeLimit(.minutes(10))) struct DatabaseTimeTests {
  private let start = ContinuousClock.now

  private func moment(_ seconds: Int64) -> ContinuousClock.Instant {
    start.advanced(by: .seconds(seconds))
  }

  private func note(
    _ time: Int64, at second: Int64, wait: Int64 = 0, _ clock: inout DatabaseTime
  ) {
    clock.note(Samples.later(time), sent: moment(second), received: moment(second + wait))
  }

  @Test func goesOnByTheMonotonicClock() {
    var clock = DatabaseTime()
    #expect(clock.time(at: start) == nil)
    #expect(clock.isDue(at: start) && clock.problem(at: start) != nil)
    note(1000, at: 0, &clock)
    #expect(clock.time(at: moment(0)) == Samples.later(1000))
    #expect(clock.time(at: moment(170)) == Samples.later(1170))
    #expect(!clock.isDue(at: moment(59)) && clock.isDue(at: moment(60)))
    #expect(clock.problem(at: moment(180)) == nil)
    #expect(clock.problem(at: moment(181)) != nil, "nobody has heard of it for long")
  }

  @Test func anAnswerIsOfTheMiddleOfItsWay() {
    var clock = DatabaseTime()
    note(1000, at: 0, wait: 4, &clock)
    #expect(clock.time(at: moment(2)) == Samples.later(1000))
    // What took longer than it may be wrong says nothing.
    note(5000, at: 60, wait: 6, &clock)
    #expect(clock.time(at: moment(62)) == Samples.later(1060))
    #expect(clock.isDue(at: moment(66)))
  }

  @Test func isNotReliedOnWhenItWasSet() {
    var clock = DatabaseTime()
    note(1000, at: 0, &clock)
    note(1065, at: 60, &clock)
    #expect(clock.problem(at: moment(60)) == nil, "5 s are allowed")
    note(1119, at: 120, &clock)
    #expect(clock.problem(at: moment(120)) != nil)
    #expect(clock.time(at: moment(120)) == Samples.later(1119), "the new one holds all the same")
    note(1121, at: 122, &clock)
    #expect(clock.problem(at: moment(179)) != nil)
    #expect(clock.problem(at: moment(180)) == nil)
  }
}
