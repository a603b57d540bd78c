import LunaJSON
import Testing

@testable import UplinkProtocol

struct LocateReportTests {
  private func report() -> LocateReport {
    LocateReport(profile: "luna-upload", direction: "up", server: "https://a https://b")
  }

  private func finding() throws -> LocateFinding {
    let blocks = [LimitBlock](
      repeating: LimitBlock(alone: 1, together: 1, first: 0.5, twice: 1, control: 2), count: 8)
    let limit = try LimitEstimate(blocks, sign: 1, seed: 1)
    return LocateFinding(limit: limit, trend: nil, blocks: 8, bytes: 300, seconds: 3)
  }

  @Test func tellsThePlace() throws {
    var report = report()
    report.add(try PathPair(NetworkPath([["x"], ["y"]], to: "1"), NetworkPath([["x"]], to: "2")))
    for _ in 0..<2 { report.add(.throttled, bytes: 100, seconds: 1) }
    #expect(report.difference == .throttled)
    report.add(try finding())
    let json = report.json(id: "i", time: "t")
    #expect(json["verdict"] == "throttled" && json["located"] == "common")
    #expect(json["bytes"] == 500 && json["seconds"] == .real(5) && json["simulated"] == false)
    #expect(json["path"] == ["shared": 1] && json["server"] == "https://a https://b")
    #expect(
      json["location"] == [
        "blocks": 8, "ratio": .real(1), "low": .real(1), "high": .real(1), "twice": .real(1),
      ])
  }

  @Test func withoutADifferenceThereIsNoPlace() {
    for (first, second) in [
      (FairnessVerdict.fair, FairnessVerdict.fair), (.throttled, .fair),
      (.throttled, .prioritised),
    ] {
      var report = report()
      report.add(first, bytes: 1, seconds: 1)
      report.add(second, bytes: 1, seconds: 1)
      #expect(report.difference == nil)
      report.addNothing()
      let json = report.json(id: "i", time: "t")
      #expect(json["located"] == "noEvidence" && json["location"] == nil)
      let verdict: JSONValue? = first == second ? "fair" : nil
      #expect(json["verdict"] == verdict)
    }
  }

  /// What one server sees slowed down, and another one cut off, has one direction.
  @Test func aDifferenceHasADirection() throws {
    for verdicts in [[FairnessVerdict.throttled, .blocked], [.blocked, .throttled]] {
      var report = report()
      for verdict in verdicts { report.add(verdict, bytes: 1, seconds: 1) }
      #expect(report.difference == verdicts[0])
      report.add(try finding())
      let json = report.json(id: "i", time: "t")
      #expect(json["located"] == "common" && json["verdict"] == nil)
    }
  }

  @Test func whatWasEndedHasNoPlace() {
    var report = report()
    report.add(.throttled, bytes: 1, seconds: 1)
    let json = report.json(id: "i", time: "t", isCancelled: true)
    #expect(json["reason"] == "cancelled" && json["verdict"] == nil && json["located"] == nil)
  }
}
