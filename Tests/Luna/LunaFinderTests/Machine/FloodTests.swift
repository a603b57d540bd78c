import Bluetooth
import LunaCore
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaFinder

/// Somebody makes identifiers up, among ten real trackers.
@Suite struct FloodTests {
  /// How the identifiers are made up.
  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    /// Frames per second.
    let rate: Int
    /// How often each identifier is sent, 1 s apart.
    var repeats = 1
    /// Whether the strength of the signal varies.
    var isLoudAndSoft = false
    /// How many seconds it sends, and is silent after that, again and again.
    var burst: Int?
    var testDescription: String { name }
  }

  static let attacks = [
    Attack(name: "20 a second", rate: 20), Attack(name: "200 a second", rate: 200),
    Attack(name: "2,000 a second", rate: 2000),
    Attack(name: "each twice", rate: 2000, repeats: 2),
    Attack(name: "each five times", rate: 1000, repeats: 5),
    Attack(name: "with any strength", rate: 1000, isLoudAndSoft: true),
    Attack(name: "twice, with any strength", rate: 1000, repeats: 2, isLoudAndSoft: true),
    Attack(name: "in bursts", rate: 2000, repeats: 2, burst: 20),
  ]

  private static let seconds = 130
  /// One tracker comes so many seconds after the other.
  private static let apart = 10

  /// What came of it.
  private struct Outcome {
    /// How long it took until a tracker was reported, by tracker.
    var delays: [UInt64: Int] = [:]
    /// How many reports of made-up ones there were, and how many of them without a doubt.
    var madeUp = 0
    var believed = 0
    var most = 0
    var counts: [CrowdStatus?] = []
  }

  /// Ten trackers come one after the other, and are heard once a second, but for the 2 s of every 16 in
  /// which they send iBeacon frames.
  private func run(_ attack: Attack) -> Outcome {
    var driver = Driver(uploads: false)
    driver.place()
    var outcome = Outcome()
    var next = Flood.made
    var generator = Seeded(7)
    for second in 0..<FloodTests.seconds {
      var frames: [HeardFrame] = []
      if attack.burst.map({ second / $0 % 2 == 0 }) ?? true {
        let fresh = UInt64(attack.rate / attack.repeats)
        for generation in 0..<UInt64(attack.repeats) {
          for number in 0..<fresh {
            let id = (next + number).subtractingReportingOverflow(generation * fresh)
            guard !id.overflow, id.partialValue >= Flood.made else { continue }
            let rssi = attack.isLoudAndSoft ? Int.random(in: -95 ... -30, using: &generator) : -60
            frames.append(Samples.frame(id.partialValue, rssi: rssi))
          }
        }
        next += fresh
      }
      for tracker in UInt64(1)...10 where second >= (Int(tracker) - 1) * FloodTests.apart {
        guard (second + Int(tracker)) % 16 >= 2 else { continue }
        // Two of them are as strong as the flood.
        frames.append(Samples.frame(tracker, rssi: -45 - Int(tracker) * 5))
      }
      frames.shuffle(using: &generator)
      for (index, frame) in frames.enumerated() {
        let actions = driver.send(.frame(frame))
        take(actions, at: second, &outcome)
        if index % 64 == 63 {
          outcome.most = max(
            outcome.most, driver.machine.presences.count + driver.machine.newcomers.count)
        }
      }
      driver.actions = []
      driver.pass(.seconds(1))
      take(driver.send(.timePassed), at: second, &outcome)
    }
    return outcome
  }

  private func take(_ actions: [FinderAction], at second: Int, _ outcome: inout Outcome) {
    for action in actions {
      if case .crowd(let status) = action { outcome.counts.append(status) }
      guard case .seal(let sighting) = action else { continue }
      let number = sighting.heard.frame.eid.value
      if number < Flood.made {
        let delay = second - (Int(number) - 1) * FloodTests.apart
        if outcome.delays[number] == nil { outcome.delays[number] = delay }
      } else {
        outcome.madeUp += 1
        if !sighting.isDoubtful { outcome.believed += 1 }
      }
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: attacks)
  func everyTrackerIsReported(_ attack: Attack) {
    let outcome = run(attack)
    #expect(Set(outcome.delays.keys) == Set(1...10))
    for (tracker, delay) in outcome.delays {
      #expect(delay <= 12, "tracker \(tracker): \(delay) s")
    }
    // Few of the others are, and hardly one is taken for real.
    #expect(outcome.madeUp <= Newcomers.normalRate + FloodTests.seconds * Newcomers.places)
    #expect(outcome.believed <= Newcomers.normalRate * (attack.burst == nil ? 1 : 10))
    #expect(
      outcome.most <= FinderMachine.crowdLimit + FinderMachine.floodLimit + 2 * Newcomers.memory)
    let first = outcome.counts.first ?? nil
    #expect(first?.newPerMinute == Newcomers.normalRate + 1)
  }

  @Test func memoryStaysFlat() {
    var driver = Driver(uploads: false)
    driver.place()
    var sizes: [Int] = []
    var memory = 0
    var next = Flood.made
    // More than are remembered, before those of the first seconds are forgotten for their age.
    for second in 0..<70 {
      for _ in 0..<4000 {
        driver.hear(next)
        next += 1
      }
      driver.actions = []
      driver.tick(1)
      memory = max(memory, TableMemory.bytes(of: driver.machine))
      if second % 5 == 4 {
        sizes.append(driver.machine.presences.count + driver.machine.newcomers.count)
      }
    }
    #expect(sizes.allSatisfy { $0 <= 2 * Newcomers.memory + 1000 })
    #expect(memory <= TableMemory.most)
    // In tables that are full to three quarters, that is 15 MB.
    #expect(MemoryLayout<FrameIdentity>.stride + MemoryLayout<HeardSeconds>.stride == 28)
  }

  /// As full as they may be, the tables leave enough of 64 MiB for everything else.
  @Test func whatMayBeRememberedStaysBelow64MiB() {
    #expect(TableMemory.most <= TableMemory.limit)
  }

  @Test func withoutAFloodTheFirstSightingIsEnough() {
    var driver = Driver()
    driver.place()
    for minute in UInt64(0)..<5 {
      for number in 0..<UInt64(Newcomers.normalRate) {
        #expect(Driver.seals(in: driver.hear(1 + minute * 100 + number)).count == 1)
      }
      driver.tick(60)
    }
    #expect(!driver.actions.contains { if case .crowd = $0 { true } else { false } })
  }

  @Test func inAFloodTheSecondSightingIsASecondLater() {
    var driver = Driver()
    driver.place()
    for number in UInt64(1)...60 { driver.hear(number) }
    #expect(driver.seals.count == Newcomers.normalRate)
    #expect(driver.hear(60).isEmpty)
    driver.pass(.milliseconds(999))
    #expect(Driver.seals(in: driver.hear(60)).isEmpty)
    driver.pass(.milliseconds(1))
    #expect(Driver.seals(in: driver.hear(60)).isEmpty)
    let heardAt = driver.moment.now
    // Whoever has been heard for longer would go first, so this second has to be over.
    let seals = Driver.seals(in: driver.tick(1))
    #expect(seals.map(\.isDoubtful) == [true])
    #expect(seals.first?.collectedAt == heardAt)
    // Who goes on is believed as any other: the next report is a minute later.
    for _ in 0..<60 {
      driver.tick(1)
      driver.hear(60)
    }
    #expect(driver.seals.last?.heard.frame.eid == EID(value: 60))
    #expect(driver.seals.last?.isDoubtful == false)
  }

  @Test func tellsWhenItBeginsHowMuchItIsAndWhenItIsOver() throws {
    var driver = Driver()
    driver.place()
    var number: UInt64 = 1
    var told: [(Int, CrowdStatus?)] = []
    var losses = 0
    for second in 0..<300 {
      if second < 100 {
        for _ in 0..<10 {
          driver.hear(number)
          number += 1
        }
      }
      driver.tick(1)
      for case .crowd(let status) in driver.actions { told.append((second, status)) }
      losses += Driver.drops(in: driver.actions)[DropReason.crowd] ?? 0
      driver.actions = []
    }
    #expect(told.count >= 4)
    #expect(told.first?.1?.newPerMinute == 51)
    #expect((14...16).contains(try #require(told.dropFirst().first).0))
    #expect(told.contains { (590...600).contains($0.1?.newPerMinute ?? 0) })
    let last = try #require(told.last)
    #expect(last.1 == nil)
    #expect((200..<230).contains(last.0))
    // Each one that was not reported is counted.
    #expect(losses == 1000 - Newcomers.normalRate)
  }

  @Test func iBeaconFramesOfAFloodCostNothing() {
    var driver = Driver(uploads: false)
    driver.place()
    for _ in 0..<100_000 { driver.send(.region(1)) }
    #expect(driver.actions.count < 10)
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func aReplayedFrameIsThrottledLikeTheFirst() {
    var driver = Driver(uploads: false)
    driver.place()
    for _ in 0..<10_000 { driver.hear(1) }
    #expect(driver.seals.count == 1)
    #expect(driver.machine.newcomers.rate.perMinute == 1)
  }

  /// While the clock is not set sightings are held: those of a flood go first.
  @Test func heldSightingsAreNotPushedOut() {
    var driver = Driver(now: Timestamp(microseconds: 0))
    driver.place()
    for number in UInt64(1)...10 { driver.hear(number) }
    var next = Flood.made
    for _ in 0..<200 {
      for number in next..<next + 30 { driver.hear(number) }
      driver.pass(.seconds(1), clock: .zero)
      for number in next..<next + 30 { driver.hear(number) }
      next += 30
    }
    let held = driver.machine.held.map(\.heard.frame.eid.value)
    #expect(held.count == HeldSighting.limit)
    #expect(Set(1...10).isSubset(of: held))
  }
}
