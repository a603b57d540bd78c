import LunaJSON
import LunaStore
import LunaWatch
import Testing

@testable import LunaHome

/// What a home tells of trackers that stay with it, and whom.
@Suite(.timeLimit(.minutes(10))) struct WatchRuleTests {
  private static func file(_ watch: String) -> String {
    """
    {"watch": \(watch), "rules": [
      {"id": "alarm", "cooldown": "0s", "when": [{"watch": {}}], "then": [{"rule": {"do": "resume"}}]},
      {"id": "early", "cooldown": "0s", "when": [{"watch": {"grade": "suspect"}}],
        "then": [{"rule": {"do": "resume"}}]}]}
    """
  }

  /// What a day brings: a notice, a suspect and an alarm.
  private func news() throws -> [HomeSuspect] {
    var watch = WatchedDay.watch()
    let news = WatchedDay.live(0, &watch)
    try #require(news.count == 3)
    return news
  }

  @Test func rulesBeginByTheirGrade() async throws {
    let bench = try ShellBench(Self.file("{}"))
    #expect(HomeFile(Self.file("{}")).problems.isEmpty)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    for one in try news() { await bench.home.tell([one]) }
    let changes = try #require(await bench.home.changes(after: before))
    let told = changes.compactMap { change -> String? in
      if case .watch(let suspect) = change.event { suspect.grade.rawValue } else { nil }
    }
    #expect(told == ["notice", "suspect", "alarm"])
    await bench.home.stop()
    #expect(try await bench.records(of: "alarm", [.firing]).count == 1)
    #expect(try await bench.records(of: "early", [.firing]).count == 2)
  }

  @Test func noRuleBeginsWhereItIsDiscreet() async throws {
    let file = Self.file(#"{"discreet": true}"#)
    #expect(HomeFile(file).codes == [.notNotifiable, .notNotifiable])
    #expect(HomeFile(file).isUsable)
    let bench = try ShellBench(file)
    try await bench.home.start()
    let all = try news()
    await bench.home.tell(all)
    #expect(await bench.home.firingCounts.isEmpty)
    await bench.home.stop()
    #expect(try await bench.records(of: "alarm", [.firing, .held]).isEmpty)
    #expect(try await bench.records(of: "early", [.firing, .held]).isEmpty)
  }

  /// Of what is found a broker gets that rules ran, and what they publish; with `discreet` there is neither.
  @Test(arguments: [false, true]) func aBrokerIsToldByRulesAlone(isDiscreet: Bool) async throws {
    let bench = try ShellBench(
      #"{"watch":{"discreet":\#(isDiscreet)},"rules":[{"id":"r","cooldown":"0s","when":[{"watch":{}}],"#
        + #""then":[{"publish":{"topic":"a","payload":"b"}}]}]}"#)
    try await bench.home.start()
    await bench.home.tell(try news())
    await bench.home.stop()
    let firing = try await bench.records(of: "r", [.firing]).first?.firing
    #expect((firing == nil) == isDiscreet)
    guard let firing else { return }
    #expect(try await bench.outcomes(of: firing).map(\.name) == ["publish"])
  }

  @Test func whatIsUnknownCannotBeMarked() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    await #expect { try await bench.home.mark("tile:1", as: "mine", by: "ada") } throws: {
      ($0 as? HomeError)?.kind == .notFound
    }
    let report = await bench.home.suspects()
    guard case .object(let object) = report else {
      Issue.record("the report is no object")
      return
    }
    #expect(object["suspects"] == .array([]))
    #expect(object["cannotFind"] != .array([]))
    await bench.home.stop()
  }

  @Test func marksAreKept() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    let alarm = try #require(try news().last)
    let marked = try await bench.home.remember(alarm, as: "known", by: "ada")
    #expect(marked.mark?.who == "ada")
    await #expect { try await bench.home.mark(alarm.id, as: "own", by: "ada") } throws: {
      ($0 as? HomeError)?.kind == .action
    }
    await bench.home.stop()
    let next = try ShellBench("{}", in: bench)
    try await next.home.start()
    #expect(try await next.home.suspect(alarm.id).json == marked.json)
    await next.home.stop()
  }
}

extension LunaHome {
  /// Takes something as found, and marks it before it is too old.
  fileprivate func remember(
    _ suspect: HomeSuspect, as word: String, by who: String
  ) throws(HomeError) -> HomeSuspect {
    watch.suspects.append(suspect)
    return try mark(suspect.id, as: word, by: who)
  }
}
