import Bluetooth
import LunaCore
import Testing

@testable import LunaFinder

@Suite struct ClockTests {
  /// A machine without a battery for its clock.
  private let epoch = Timestamp(microseconds: 12_000_000)

  @Test func holdsReportsAndUploadsUntilTheClockIsPlausible() throws {
    var driver = Driver(now: epoch)
    let first = driver.send(.restored(waiting: 5, hasConfirmations: true))
    #expect(Driver.uploads(in: first).isEmpty)
    #expect(!first.contains(.confirm))
    #expect(
      first.contains { if case .problem(let error) = $0 { error.kind == .clock } else { false } })
    driver.place()
    #expect(Driver.seals(in: driver.hear(1)).isEmpty)
    driver.pass(.seconds(20))
    #expect(Driver.seals(in: driver.hear(2)).isEmpty)
    #expect(Driver.uploads(in: driver.tick(10)).isEmpty)
    // NTP has set it.
    driver.moment.now = Driver.start
    let actions = driver.send(.timePassed)
    let sightings = Driver.seals(in: actions)
    #expect(sightings.count == 2)
    // Their times are counted back.
    #expect(sightings[0].collectedAt.microseconds == Driver.start.microseconds - 30_000_000)
    #expect(sightings[1].collectedAt.microseconds == Driver.start.microseconds - 10_000_000)
    #expect(actions.contains(.confirm))
    // And throttled as always.
    #expect(Driver.seals(in: driver.hear(2)).isEmpty)
  }

  @Test func complainsOnce() {
    var driver = Driver(now: epoch)
    driver.tick(100)
    #expect(driver.actions.count { if case .problem = $0 { true } else { false } } == 1)
  }

  @Test func countsWhatItCannotHold() {
    var driver = Driver(now: epoch)
    driver.place()
    for _ in 0..<HeldSighting.limit / 40 {
      for number in UInt64(1)...40 { driver.hear(number) }
      driver.pass(.seconds(60), clock: .zero)
    }
    for number in UInt64(1)...5 { driver.hear(number) }
    #expect(Driver.drops(in: driver.actions)[DropReason.clock] == 5)
    driver.send(.stop)
    #expect(Driver.drops(in: driver.actions)[DropReason.clock] == HeldSighting.limit + 5)
  }

  @Test func aJumpBackDoesNotStopReports() {
    var driver = Driver()
    driver.place()
    driver.hear()
    driver.pass(.seconds(60), clock: .seconds(-3600))
    #expect(Driver.seals(in: driver.hear()).count == 1)
    driver.pass(.seconds(60), clock: .seconds(86_400))
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }
}
