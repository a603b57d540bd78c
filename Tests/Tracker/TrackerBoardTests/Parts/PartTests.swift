import LunaProtocol
import Testing

@testable import TrackerBoard

@Suite("Parts of a board")
struct PartTests {
  @Test("A button that bounces is pressed once, and released once")
  func bounces() {
    var button = Button()
    var changes: [Bool] = []
    var time: Int64 = 0
    func contacts(_ isClosed: Bool, for duration: Int64) {
      button.see(isClosed, at: time)
      for _ in 0..<duration {
        time += 1
        if let change = button.tick(at: time) { changes.append(change) }
      }
    }
    for _ in 0..<5 {
      contacts(true, for: 3)
      contacts(false, for: 2)
    }
    #expect(changes.isEmpty)
    contacts(true, for: 100)
    #expect(changes == [true])
    for _ in 0..<5 {
      contacts(false, for: 3)
      contacts(true, for: 2)
    }
    contacts(false, for: 100)
    #expect(changes == [true, false])
    #expect(button.deadline == nil)
  }

  @Test("A button counts once it has been so for 20 ms, and not before")
  func settles() {
    var button = Button()
    button.see(true, at: 100)
    #expect(button.deadline == 120)
    #expect(button.tick(at: 119) == nil)
    #expect(button.tick(at: 120) == true)
    #expect(button.tick(at: 500) == nil)
  }

  @Test("A beat goes on and off at its times, and ends when it is stopped")
  func beats() throws {
    var beat = Beat(on: 200, off: 300)
    #expect(beat.deadline == nil)
    #expect(beat.tick(at: 5) == nil)
    beat.start(at: 1000)
    var changes: [Int64] = []
    var time: Int64 = 1000
    while time < 2500 {
      if beat.tick(at: time) != nil { changes.append(time) }
      let deadline = try #require(beat.deadline)
      #expect(deadline > time)
      time = deadline
    }
    #expect(changes == [1000, 1200, 1500, 1700, 2000, 2200])
    // While it is on.
    #expect(beat.tick(at: 2500) == true)
    beat.stop()
    #expect(beat.tick(at: 2501) == false)
    #expect(beat.deadline == nil)
  }

  @Test("A voltage that wavers around a threshold gives one word")
  func battery() {
    var gauge = BatteryGauge()
    var words: [BatteryLevel] = []
    let voltages = [
      0, 3000, 2610, 2590, 2620, 2590, 2690, 2310, 2290, 2350, 2399, 2400, 2650, 2700, 0,
    ]
    for voltage in voltages {
      if let word = gauge.measure(millivolts: voltage) { words.append(word) }
    }
    #expect(words == [.normal, .low, .critical, .low, .normal, .unknown])
  }

  @Test(
    "A cell is low below 2.6 V, and critical below 2.3 V",
    arguments: [
      (1, .critical), (2299, .critical), (2300, .low), (2599, .low), (2600, .normal),
      (3300, .normal),
    ] as [(Int, BatteryLevel)])
  func thresholds(millivolts: Int, level: BatteryLevel) {
    var gauge = BatteryGauge()
    #expect(gauge.measure(millivolts: millivolts) == level)
    #expect(gauge.measure(millivolts: millivolts) == nil)
    #expect(gauge.level == level)
    #expect(gauge.measure(millivolts: 0) == .unknown)
  }

  @Test("A cell is better only where its voltage is a tenth of a volt above a threshold")
  func recovers() {
    var gauge = BatteryGauge()
    #expect(gauge.measure(millivolts: 2500) == .low)
    #expect(gauge.measure(millivolts: 2699) == nil)
    #expect(gauge.measure(millivolts: 2700) == .normal)
    #expect(gauge.measure(millivolts: 2200) == .critical)
    #expect(gauge.measure(millivolts: 2399) == nil)
    #expect(gauge.measure(millivolts: 2400) == .low)
    #expect(gauge.measure(millivolts: 2200) == .critical)
    // Not normal at once, either.
    #expect(gauge.measure(millivolts: 2699) == .low)
  }

  @Test("The watchdog is fed 60 times an hour where nothing happens")
  func watchdog() throws {
    var watchdog = Watchdog()
    #expect(watchdog.tick(at: 0) == true)
    var fed = 0
    while let deadline = watchdog.deadline, deadline <= 3_600_000 {
      #expect(watchdog.tick(at: deadline) == true)
      fed += 1
    }
    #expect(fed == 60)
    #expect(watchdog.tick(at: 3_600_000 + Watchdog.rest - 1) == false)
    #expect(watchdog.tick(at: 3_600_000 + Watchdog.rest) == true)
    #expect(2 * Watchdog.interval < Watchdog.timeout)
    var other = Watchdog()
    #expect(other.tick(at: 5) == true)
    #expect(other.tick(at: 10_004) == false)
    #expect(other.tick(at: 10_005) == true)
  }
}
