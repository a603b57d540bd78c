import LunaJSON
import Testing

@testable import UplinkProtocol

/// A check by pairs, on links that are made up.
struct PairedCheckTests {
  private func finding(
    _ behaviour: SimulatedLink.Behaviour, seed: UInt64 = 7, _ measure: SlotMeasure = .rate,
    aim: PairedCheck.Aim? = nil
  ) throws -> CheckFinding {
    var check = PairedCheck(measure, seed: seed, aim: aim)
    var link = SimulatedLink(behaviour, seed: seed)
    while true {
      let record = link.slot(check.next(), measure)
      if let finding = try check.take(record) { return finding }
      try #require(check.done < 200)
    }
  }

  @Test(arguments: [SlotMeasure.rate, .roundTrip])
  func findsWhatTheLinkDoes(_ measure: SlotMeasure) throws {
    for (behaviour, verdict) in [
      (SimulatedLink.Behaviour.fair, FairnessVerdict.fair), (.throttled, .throttled),
      (.prioritised, .prioritised), (.blocked, .blocked),
      (.inconclusive, .inconclusive(.noisy)),
    ] {
      // What varies much takes long.
      for seed in 1...(behaviour == .inconclusive ? 1 : 5) as ClosedRange<UInt64> {
        let finding = try finding(behaviour, seed: seed, measure)
        #expect(finding.verdict == verdict, "\(behaviour) \(seed)")
        // What is clear is said at the first look.
        #expect(finding.slots.count == (behaviour == .inconclusive ? 32 : 20))
      }
    }
  }

  @Test func saysByHowMuchAndWhatWouldHaveBeenSeen() throws {
    let half = try finding(.throttled)
    let estimate = try #require(half.estimate)
    #expect(abs(estimate.ratio - 0.5) < 0.03)
    let (low, high) = (try #require(estimate.low), try #require(estimate.high))
    #expect(low < estimate.ratio && estimate.ratio < high && high < 0.6)
    let fair = try finding(.fair)
    #expect(fair.power?.detectable == 1.5 || fair.power?.detectable == 1.25)
    #expect(try #require(fair.rateSeen) > 2.4e6)
    // The pair before is not among the slots, but among the bytes.
    #expect(fair.bytes > fair.slots.reduce(0) { $0 + $1.bytes })
  }

  @Test func eachPairHasOneOfEach() throws {
    let slots = try finding(.fair).slots
    for index in stride(from: 0, to: slots.count, by: 2) {
      #expect(Set([slots[index].kind, slots[index + 1].kind]).count == 2)
    }
    // A coin says which is first.
    let firsts = stride(from: 0, to: slots.count, by: 2).map { slots[$0].kind }
    #expect(Set(firsts).count == 2)
  }

  @Test func anAimMakesItLonger() throws {
    let aim = PairedCheck.Aim(slowdown: 1.1, power: 0.99)
    var check = PairedCheck(.rate, seed: 7, aim: aim)
    var link = SimulatedLink(.inconclusive, seed: 7)
    #expect(check.planned == 34)
    // The pair before, and the ten that say how much the link varies.
    for _ in 0..<22 {
      let finding = try check.take(link.slot(check.next(), .rate))
      #expect(finding?.verdict == nil)
    }
    #expect(check.planned == 130 && check.done == 22)
  }

  @Test func takesNoMorePairsThanAreWanted() throws {
    var check = PairedCheck(.rate, seed: 7, pairs: 11)
    var link = SimulatedLink(.inconclusive, seed: 7)
    #expect(check.planned == 24)
    for number in 1...24 {
      let finding = try check.take(link.slot(check.next(), .rate))
      #expect((finding != nil) == (number == 24))
    }
  }

  @Test func dataMayNotSufficeForMore() throws {
    var check = PairedCheck(.rate, seed: 7)
    check.keep(to: 12)
    #expect(check.planned == 22)
    var link = SimulatedLink(.inconclusive, seed: 7)
    for number in 1...22 {
      let finding = try check.take(link.slot(check.next(), .rate))
      #expect((finding != nil) == (number == 22))
      #expect(finding == nil || finding?.verdict == .inconclusive(.noisy))
    }
  }

  /// A slowdown that needs more pairs than there is data for is looked for with those that there are.
  @Test func dataMayNotSufficeForAnAim() throws {
    let aim = PairedCheck.Aim(slowdown: 1.1, power: 0.99)
    var check = PairedCheck(.rate, seed: 7, aim: aim)
    check.keep(to: 30)
    var link = SimulatedLink(.inconclusive, seed: 7)
    for number in 1...62 {
      let finding = try check.take(link.slot(check.next(), .rate))
      #expect((finding != nil) == (number == 62))
    }
    #expect(check.planned == 62)
  }

  /// A look that no other one follows may spend what the last one may: four of 1,024 flips are enough then.
  @Test func theOnlyLookIsTheLastOne() throws {
    let cases: [(Int, FairnessVerdict?)] = [(10, .throttled), (16, nil)]
    for (most, verdict) in cases {
      var check = PairedCheck(.rate, seed: 7)
      check.keep(to: most)
      var (found, originals): (CheckFinding?, Int) = (nil, 0)
      for _ in 0..<22 {
        let kind = check.next()
        if kind == .original { originals += 1 }
        // All are slower, but one.
        let rate = kind == .control ? 1e6 : originals == 5 ? 1.05e6 : 0.5e6
        found = try check.take(
          SlotRecord(kind, .measured(rate), bytes: 1_000_000, seconds: 1, fastest: rate))
      }
      #expect(found?.verdict == verdict)
      if verdict != nil { #expect(found?.estimate?.p == 0.00390625) }
    }
  }

  /// What would have been seen is what the looks would have seen that are made.
  @Test func fewerPairsWouldHaveSeenLess() throws {
    var check = PairedCheck(.rate, seed: 7)
    check.keep(to: 12)
    var link = SimulatedLink(.inconclusive, seed: 7)
    var found: CheckFinding?
    while found == nil {
      found = try check.take(link.slot(check.next(), .rate))
      try #require(check.done <= check.planned)
    }
    let finding = try #require(found)
    let pairs = stride(from: 0, to: finding.slots.count, by: 2).map { index in
      let (first, second) = (finding.slots[index], finding.slots[index + 1])
      return first.kind == .original
        ? SlotPair(original: first.outcome, control: second.outcome)
        : SlotPair(original: second.outcome, control: first.outcome)
    }
    let values = try PairDifferences(pairs, .rate).values
    let all = try DetectionPower(values, plan: .standard, seed: 7)
    let power = try #require(finding.power)
    // At ten pairs alone a factor of 2 is hidden by such a link; three more looks find it now and then.
    #expect(power.shares[2] + 0.1 < all.shares[2], "\(power.shares) \(all.shares)")
  }

  @Test func countsWhatTheLinkCarried() throws {
    var check = PairedCheck(.rate, seed: 7)
    var link = SimulatedLink(.fair, seed: 7)
    var (found, carried): (CheckFinding?, Int) = (nil, 0)
    while found == nil {
      let slot = link.slot(check.next(), .rate)
      // Some of it went twice.
      let record = SlotRecord(
        slot.kind, slot.outcome, bytes: slot.bytes, seconds: slot.seconds, fastest: slot.fastest,
        carried: slot.bytes + 1_000)
      carried += slot.bytes + 1_000
      found = try check.take(record)
    }
    #expect(found?.bytes == carried)
  }

  @Test func slotsThatAreTooShortSayNothing() throws {
    var check = PairedCheck(.rate, seed: 1)
    var found: CheckFinding?
    while found == nil {
      let record = SlotRecord(check.next(), .tooFast, bytes: 9, seconds: 0.001, fastest: nil)
      found = try check.take(record)
      try #require(check.done <= check.planned)
    }
    #expect(found?.verdict == .inconclusive(.tooFast) && found?.slots.count == 32)
    #expect(found?.estimate == nil)
  }

  @Test func theResultTellsAll() throws {
    var report = CheckReport(
      .upload, direction: "up", server: "https://luna.example", isSimulated: true)
    report.add(try finding(.throttled))
    #expect(report.needsConfirmation)
    // Where the check that was to confirm it came to nothing, it is not told.
    report.isUnconfirmed = true
    #expect(report.verdict == .inconclusive(.notConfirmed))
    report.isUnconfirmed = false
    report.add(try finding(.fair))
    #expect(!report.needsConfirmation && report.verdict == .inconclusive(.notConfirmed))
    let json = report.json(id: "1", time: "2026-11-27T00:00:00Z")
    #expect(json["verdict"] == "inconclusive" && json["reason"] == "notConfirmed")
    #expect(json["profile"] == "luna-upload" && json["direction"] == "up")
    #expect(json["simulated"] == true && json["pairs"] == 10)
    guard case .array(let slots)? = json["slots"], case .object(let slot)? = slots.first,
      case .object(let power)? = json["power"]
    else {
      Issue.record("no slots or power")
      return
    }
    #expect(slots.count == 20 && slot["n"] == 1 && slot["pair"] == 1 && slot["failed"] == false)
    #expect(slot["x"] != nil && slot["mbps"] != nil)
    #expect(power.members.map(\.name) == ["1.25", "1.5", "2", "4"])
    for name in ["ratio", "low", "high", "p", "bytes", "seconds", "rateSeen"] {
      #expect(json[name] != nil, "\(name)")
    }
  }
}
