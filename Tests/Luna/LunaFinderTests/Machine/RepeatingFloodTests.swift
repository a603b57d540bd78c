import LunaCore
import LunaProtocol
import Testing

@testable import LunaFinder

/// Somebody makes identifiers up and sends each of them more than once, so that they look like trackers.
/// `luna-bench floods` has many more of these.
@Suite struct RepeatingFloodTests {
  static let floods = [
    Flood(2000, 5, gap: 1050), Flood(2000, 3, gap: 1050), Flood(1000, 20, gap: 1050),
    // More are kept alive for some seconds than can be reported.
    Flood(1000, 10, gap: 500),
  ]
  /// Where the table of `luna-bench floods` ends: the fewest and the most a second, sent once or a hundred times,
  /// a tenth of a second or five seconds apart.
  static let corners = [
    Flood(100, 1, gap: 100), Flood(100, 100, gap: 100), Flood(100, 100, gap: 5000),
    Flood(4000, 1, gap: 100), Flood(4000, 100, gap: 100), Flood(4000, 100, gap: 5000),
    // The most that could be reported of a second.
    Flood(4000, 2, gap: 5000),
  ]

  /// Nearer than each of the trackers, and farther than each of them.
  static let strengths = [
    Flood(2000, 3, gap: 1050, strength: -30), Flood(1000, 6, gap: 1050, strength: -30),
    Flood(1000, 20, gap: 1050, strength: -30), Flood(2000, 100, gap: 1050, strength: -30),
    Flood(1000, 20, gap: 1050, strength: -100),
  ]

  @Test(.timeLimit(.minutes(10)), arguments: floods + corners + strengths)
  func everyTrackerIsReported(_ flood: Flood) {
    // Within 30 s of the sixth time, or within 60 s of what the sender can keep alive.
    let limit = flood.sixths < Double(Newcomers.places) ? 10 + 30 : Int(flood.life) + 60
    var run = FloodRun(flood)
    run.pass(seconds: FloodRun.lead)
    while run.second < FloodRun.lead + limit, run.delays.count < 10 { run.pass(seconds: 1) }
    #expect(Set(run.delays.keys) == Set(FloodRun.trackers))
    #expect(run.most <= Newcomers.places)
    #expect(run.memory <= TableMemory.most)
    // Hardly one is taken for real.
    #expect(run.believed.count <= Newcomers.normalRate + run.second)
    // Each one is reported or counted.
    run.stop()
    #expect(run.driver.machine.isFinished)
    #expect(run.firstReports.count + run.lost == Int(run.flood.count) + 10)
  }

  /// Those that go on for long are no more to be believed than others.
  @Test func whatIsKeptAliveStaysDoubtful() {
    var run = FloodRun(Flood(400, 100, gap: 5000))
    run.pass(seconds: 180)
    #expect(run.delays.count == 10)
    #expect(run.madeUp > 500)
    #expect(run.believed.count <= Newcomers.normalRate + 180)
    let presences = run.driver.machine.presences.values
    #expect(run.driver.machine.doubtfulCount == presences.count(where: \.isDoubtful))
    #expect(run.driver.machine.doubtfulCount > 100)
  }

  /// Identifiers that wait are not all reported at once when no new ones appear.
  @Test func whenItIsCalmAgainTheyStillTakeTurns() {
    var driver = Driver(uploads: false)
    driver.place()
    var most = 0
    var reported: Set<UInt64> = []
    for second in 0..<90 {
      let before = reported.count
      // Half of them in each second.
      for number in UInt64(0)..<4000 where Int(number) % 2 == second % 2 || second == 0 {
        driver.hear(Flood.made + number)
      }
      driver.tick(1)
      reported.formUnion(driver.seals.map(\.heard.frame.eid.value))
      driver.actions = []
      if second > 0 { most = max(most, reported.count - before) }
      if second == 65 {
        #expect(!driver.machine.newcomers.areTooMany)
        #expect(reported.count < 3500)
        // Who comes now has nobody before it.
        #expect(Driver.seals(in: driver.hear(1)).count == 1)
      }
    }
    #expect(reported.count == 4001)
    #expect(most <= Newcomers.places + 1)
  }

  /// Who was known before is reported as before.
  @Test func whoIsKnownIsNotDelayed() {
    var run = FloodRun(Flood(500, 3, gap: 1050))
    run.driver.hear(11)
    var times: [Int] = []
    for second in 0..<200 {
      run.pass(seconds: 1)
      if !Driver.seals(in: run.driver.hear(11)).isEmpty { times.append(second) }
    }
    #expect(times == [59, 119, 179])
    let identity = FrameIdentity(Samples.frame(11).frame)
    #expect(run.driver.machine.presences[identity]?.isDoubtful == false)
  }

  /// A radio that gives a report of a tracker only now and then.
  @Test func whoIsHeardSeldomIsRememberedInAFlood() {
    var run = FloodRun(Flood(500, 1, gap: 1000))
    run.pass(seconds: 10)
    #expect(Driver.seals(in: run.driver.hear(11)).isEmpty)
    run.pass(seconds: 60)
    run.driver.hear(11)
    run.pass(seconds: 1)
    #expect(run.firstReports[11] == 70)
  }

  /// The places of those that are doubtful are limited, and nobody else has to go for them.
  @Test(.timeLimit(.minutes(10))) func aFloodTakesThePlaceOfItsOwnAlone() {
    var driver = Driver(uploads: false)
    driver.place()
    driver.hear(1)
    var reports: [UInt64: Int] = [:]
    for second in 0..<560 {
      // 48 new ones, all of which go on.
      for age in [0, 1] + Array(stride(from: 100, through: 500, by: 100)) where age <= second {
        let first = Flood.made + UInt64(48 * (second - age))
        for number in first..<first + 48 { driver.hear(number) }
      }
      if second.isMultiple(of: 10) { driver.hear(1) }
      if second >= 100, second.isMultiple(of: 2) { driver.hear(2) }
      driver.tick(1)
      for sighting in driver.seals {
        reports[sighting.heard.frame.eid.value, default: 0] += 1
      }
      driver.actions = []
      #expect(driver.machine.doubtfulCount <= FinderMachine.floodLimit)
    }
    #expect(TableMemory.bytes(of: driver.machine) <= TableMemory.most)
    #expect(driver.machine.doubtfulCount > FinderMachine.floodLimit * 3 / 4)
    #expect(driver.machine.presences.count > FinderMachine.floodLimit * 3 / 4)
    // One a minute of those that are still there, as without a flood.
    #expect(reports[1] == 10)
    #expect(reports[2] == 8)
  }

  /// What was heard in the last second is reported, and queued before it is over.
  @Test func theLastSecondIsReportedAtTheEnd() {
    var driver = Driver(uploads: false)
    driver.place()
    for number in UInt64(1)...60 { driver.hear(number) }
    driver.pass(.seconds(1))
    driver.hear(60)
    let actions = driver.send(.stop)
    #expect(Driver.seals(in: actions).map(\.isDoubtful) == [true])
    #expect(!actions.contains(.finished))
    let end = driver.send(.queued([:], waiting: 1))
    #expect(end.last == .finished)
    #expect(Driver.drops(in: end) == [DropReason.crowd: 9])
  }
}
