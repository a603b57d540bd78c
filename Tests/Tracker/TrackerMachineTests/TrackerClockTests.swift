import LunaProtocol
import Testing
import TrackerMachine

@Suite("The clock of a tracker")
struct TrackerClockTests {
  @Test("It runs at its own rate from the moment at which it was set")
  func rate() {
    let fast = TrackerClock(time: 1000, at: 500, speed: 2, drift: 100_000)
    #expect(fast.time(at: 500) == 1000)
    #expect(fast.time(at: 1500) == 3200)
    let slow = TrackerClock(time: 0, at: 0, drift: -100)
    #expect(slow.time(at: 1_500_000) == 1_499_850)
    // Ten years, of which a part in ten thousand is missing.
    #expect(slow.time(at: 315_576_000_000) == 315_544_442_400)
    let set = fast.set(to: 7, at: 1500)
    #expect(set == TrackerClock(time: 7, at: 1500, speed: 2, drift: 100_000))
  }

  @Test("Speed and drift are brought into their ranges")
  func ranges() {
    let low = TrackerClock(time: 0, at: 0, speed: 0, drift: -100_001)
    #expect(low.speed == 1 && low.drift == -100_000)
    let high = TrackerClock(time: 0, at: 0, speed: .max, drift: .max)
    #expect(high.speed == ProtocolTime.maximumSpeed && high.drift == 100_000)
  }

  @Test(
    "It is asked again in the first millisecond at which it shows a time, and not before",
    arguments: [-100_000, -40, 0, 40, 100_000] as [Int64], [1, 7, 400, 100_000] as [Int64])
  func reaching(drift: Int64, speed: Int64) {
    let clock = TrackerClock(time: 5000, at: 300, speed: speed, drift: drift)
    for wait in [1, 999, 16_000, 1_024_000, 31_557_600_000] as [Int64] {
      let uptime = clock.uptime(reaching: 5000 + wait)
      #expect(clock.time(at: uptime) >= 5000 + wait)
      #expect(clock.time(at: uptime - 1) < 5000 + wait)
    }
    // What it shows already.
    #expect(clock.uptime(reaching: 5000) == 300 && clock.uptime(reaching: 0) == 300)
  }

  @Test("It looks no further ahead than a century")
  func century() {
    let clock = TrackerClock(time: -1, at: 0)
    #expect(clock.uptime(reaching: .max) == 3_155_760_000_000)
    #expect(clock.uptime(reaching: 3_155_759_999_998) == 3_155_759_999_999)
  }
}
