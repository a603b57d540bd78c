import LunaJSON
import Testing

@testable import UplinkProtocol

/// What is made of the replays of a test.
struct ReplayReportTests {
  private func side(_ rate: Double, _ outcome: ReplayOutcome? = nil, count: Int = 60) -> ReplaySide
  {
    let samples = ReplaySamples(
      rates: (0..<count).map { rate + Double($0) * 1e-6 }, times: (1...count).map { Double($0) })
    return ReplaySide(
      outcome ?? .finished(isTruncated: false), samples: samples, bytes: 1_000, seconds: 2)
  }

  private func failed(_ kind: ReplayError.Kind) -> ReplaySide {
    ReplaySide(.failed(ReplayError(kind)), samples: nil, bytes: 0, seconds: 0)
  }

  private func verdict(_ original: ReplaySide?, _ control: ReplaySide?) throws -> FairnessVerdict {
    try ReplayComparison(original, control, rule: .ios).verdict
  }

  @Test func saysWhatTheRuleSays() throws {
    #expect(try verdict(side(5), side(5)) == .fair)
    #expect(try verdict(side(2), side(8)) == .throttled)
    #expect(try verdict(side(8), side(2)) == .prioritised)
    // Two samples of which a server drops one: nothing can be said.
    #expect(try verdict(side(2, count: 2), side(8, count: 2)) == .inconclusive(.noisy))
    #expect(try verdict(side(2, count: 1), side(8, count: 1)) == .inconclusive(.tooFast))
  }

  /// Behind a fast link the client in Java takes less for a difference, until its run ends; the others look at each
  /// test.
  @Test func aRunKeepsTheAreaOfAFastLink() throws {
    for rule in OriginalRule.allCases {
      var settings = OriginalSettings()
      func judge(_ original: Double, _ control: Double) throws -> FairnessVerdict {
        let test = try ReplayComparison(
          side(original), side(control), rule: rule, settings: settings)
        settings.follow(test, by: rule)
        return test.verdict
      }
      #expect(try judge(3, 5) == (rule == .server ? .throttled : .fair))
      #expect(try judge(20, 20) == .fair)
      #expect(try judge(3, 5) == (rule == .ios ? .fair : .throttled))
      // What somebody has chosen stays.
      settings.area = 0.6
      #expect(try judge(11, 20) == (rule == .server ? .throttled : .fair))
      #expect(settings.area == 0.6)
    }
  }

  @Test func aPortThatIsNeverReachedIsADifference() throws {
    #expect(try verdict(failed(.blocked), side(5)) == .blocked)
    #expect(try verdict(side(5), failed(.blocked)) == .prioritised)
    let error = #expect(throws: ReplayError.self) {
      _ = try verdict(failed(.blocked), failed(.blocked))
    }
    #expect(error?.kind == .blocked)
  }

  @Test(arguments: [ReplayError.Kind.addressBusy, .overloaded, .lost, .ipFlip, .cancelled])
  func whatFailedIsNotCompared(_ kind: ReplayError.Kind) throws {
    let pairs: [(ReplaySide?, ReplaySide?)] = [
      (failed(kind), nil), (nil, failed(kind)), (side(5), failed(kind)),
      (failed(.blocked), failed(kind)),
    ]
    for (original, control) in pairs {
      let error = #expect(throws: ReplayError.self) { _ = try verdict(original, control) }
      #expect(error?.kind == kind)
    }
  }

  @Test func whatCouldNotBeConfirmedIsNotTold() throws {
    let slow = try ReplayComparison(side(2), side(8), rule: .ios)
    let fair = try ReplayComparison(side(5), side(5), rule: .ios)
    for (test, word) in [(slow, "inconclusive"), (fair, "fair")] {
      var report = ReplayReport(profile: "Luna-11252026", server: "wehe:192.0.2.1")
      report.add(test, nil)
      report.isUnconfirmed = true
      let json = report.json(id: "1", time: "2026-11-27T00:00:00Z")
      #expect(json["verdict"] == .string(word))
      #expect((json["reason"] == "notConfirmed") == (word == "inconclusive"))
      // What was measured is there all the same.
      #expect(json["ratio"] != nil && json["pairs"] == 1)
    }
  }

  @Test func theSecondTestHasToAgree() throws {
    let slow = try ReplayComparison(side(2), side(8), rule: .ios)
    let fair = try ReplayComparison(side(5), side(5), rule: .ios)
    let tests: [(ReplayComparison, ReplayComparison?, String)] = [
      (slow, slow, "throttled"), (slow, fair, "inconclusive"), (fair, nil, "fair"),
    ]
    for (first, second, word) in tests {
      var report = ReplayReport(profile: "Luna-11252026", server: "wehe:192.0.2.1")
      #expect(report.verdict == nil)
      report.add(first, nil)
      if let second { report.add(second, nil) }
      let json = report.json(id: "1", time: "2026-11-27T00:00:00Z")
      #expect(json["verdict"] == .string(word))
      #expect((json["reason"] == nil) == (word != "inconclusive"))
      #expect(json["simulated"] == false && json["profile"] == "Luna-11252026")
      // The original's way: the last one counts.
      guard case .object(let original)? = json["original"] else {
        Issue.record("nothing of the original's rule")
        return
      }
      #expect(original["verdict"] == .string(second == nil || word != "throttled" ? "fair" : word))
      #expect(json["bytes"] == .integer(second == nil ? 2_000 : 4_000))
      #expect(json["seconds"] == .real(second == nil ? 4 : 8))
      guard case .array(let slots)? = json["slots"] else {
        Issue.record("no slots")
        return
      }
      #expect(slots.count == 2)
    }
  }

  @Test func whatTheServerSaysStandsBeside() throws {
    let test = try ReplayComparison(side(2), side(8), rule: .ios)
    var report = ReplayReport(profile: "A", server: "B")
    report.add(test, .failed(AnalysisError(.resultGaveUp)))
    let json = report.json(id: "1", time: "")
    #expect(json["serverProblem"] == "resultGaveUp" && json["verdict"] == "throttled")
    let judgement = try #require(test.judgement)
    let p = try #require(judgement.test).p
    func result(_ area: Double) throws -> ServerResult {
      try ServerResult(
        [
          "userID": "a", "historyCount": "1", "replayName": "A", "date": "2026-11-25 23:20:31",
          "area_test": .string("\(area)"), "ks2_ratio_test": "1",
          "xput_avg_original": .string("\(Samples.mean(test.original.held))"),
          "xput_avg_test": .string("\(Samples.mean(test.control.held))"),
          "ks2dVal": "1", "ks2pVal": .string("\(p)"),
        ], user: "a", history: 1)
    }
    let area = try #require(judgement.area)
    #expect(test.members(of: .result(try result(area)))["serverProblem"] == nil)
    let other = test.members(of: .result(try result(area / 2)))
    #expect(other["serverProblem"] == "serverDisagrees" && other["serverResult"] != nil)
  }

  @Test func whatSomebodyEndedHasNoVerdict() {
    let report = ReplayReport(profile: "A", server: "B")
    let json = report.json(id: "1", time: "", isCancelled: true)
    #expect(json["verdict"] == nil && json["reason"] == "cancelled" && report.samples == nil)
  }
}
