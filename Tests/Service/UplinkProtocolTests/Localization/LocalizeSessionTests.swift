import Diagnosis
import Testing

@testable import UplinkProtocol

struct LocalizeSessionTests {
  private typealias Kind = LocalizationError.Kind

  private static let pairs = answer(
    #"{"success":true,"response":{"server-site-pairs":[["a01","b01","X"],["c01","d01","X"]],"#
      + #""server-ip-pairs":[["192.0.2.1","198.51.100.1","X or Y"]]}}"#)
  private static let success = answer(#"{"success":true}"#)
  private static let finished = LocalizeEvent.ended(.finished(isTruncated: false))
  private static let differ = LocalizeEvent.compared(first: .throttled, second: .throttled)
  /// The events up to the question for the place.
  private static let asked: [LocalizeEvent] =
    [.begin, pairs] + [LocalizeEvent](repeating: finished, count: 4) + [differ]
  /// And those up to the question for what came of it.
  private static let begun = asked + [success]

  private static func answer(_ text: String) -> LocalizeEvent { .answered(Array(text.utf8)) }

  private static func plan(server: String = "203.0.113.1", port: UInt16? = 443) -> LocalizePlan {
    LocalizePlan(
      user: "abcdefghi1", single: (server, 3), history: 5, port: port, replay: "Luna-11252026")
  }

  /// A session that has been told so far, and what it does last.
  private func run(
    _ events: [LocalizeEvent], _ plan: LocalizePlan? = nil, isOfSites: Bool = false
  ) -> (LocalizeSession, [LocalizeAction]) {
    var session = LocalizeSession(plan ?? Self.plan(), isOfSites: isOfSites)
    var actions: [LocalizeAction] = []
    for event in events { actions = session.take(event) }
    return (session, actions)
  }

  private func place(_ response: String) -> LocalizeAnswer? {
    let end = Self.answer(#"{"success":true,"response":\#(response)}"#)
    guard case .located(let answer)? = run(Self.begun + [end]).1.first else { return nil }
    return answer
  }

  @Test func goesItsWay() {
    var session = LocalizeSession(Self.plan(), isOfSites: false)
    let servers = ServerPair("192.0.2.1", "198.51.100.1")
    #expect(session.take(.begin) == [.ask(query: "command=getServers")])
    #expect(session.take(Self.pairs) == [.replay(servers, isControl: false)])
    #expect(session.take(Self.finished) == [])
    #expect(session.take(Self.finished) == [.replay(servers, isControl: true)])
    #expect(session.take(Self.finished) == [])
    #expect(session.take(Self.finished) == [.compare])
    guard case .post(let form)? = session.take(Self.differ).first else {
      Issue.record("no question")
      return
    }
    #expect(form.hasPrefix("command=localize&userID=abcdefghi1&testID=0&server1Info=%7B%22server"))
    #expect(form.contains("%22192%2E0%2E2%2E1%22%2C%22historyCount%22%3A%224%22"))
    #expect(form.contains("%22198%2E51%2E100%2E1%22%2C%22historyCount%22%3A%225%22"))
    #expect(form.contains("%22replayPort%22%3A%2200443%22%2C%22replayName%22%3A%22Luna-11252026"))
    #expect(form.contains("%22singleReplay_server%22%3A%22203%2E0%2E113%2E1%22"))
    #expect(form.contains("%22singleReplay_historyCount%22%3A%223%22"))
    #expect(form.hasSuffix("&kwargs=%7B%7D"))
    let query = "command=localizeResult&userID=abcdefghi1&historyCounts=%5B4%2C%205%5D&testID=0"
    #expect(session.take(Self.success) == [.get(query: query)])
    let end = Self.answer(
      #"{"success":true,"response":{"pairsum_vs_single_xput":{"mwuPVal":0.01}}}"#)
    guard case .located(let answer)? = session.take(end).first else {
      Issue.record("no place")
      return
    }
    #expect(answer.location == .common && answer.variationP == 0.01)
    #expect(session.take(end) == [])
  }

  @Test func triesSitesUntilBothOpen() {
    let (first, second) = (ServerPair("a01", "b01"), ServerPair("c01", "d01"))
    var (session, actions) = run([.begin, Self.pairs], isOfSites: true)
    #expect(actions == [.open(first)])
    #expect(session.take(.notOpened) == [.open(second)])
    #expect(
      session.take(.opened(first: "192.0.2.8", second: "192.0.2.9")) == [
        .replay(ServerPair("192.0.2.8", "192.0.2.9"), isControl: false)
      ])
    actions = run([.begin, Self.pairs, .notOpened, .notOpened], isOfSites: true).1
    #expect(actions == [.failed(LocalizationError(.siteUnreachable))])
  }

  @Test(arguments: [
    (FairnessVerdict.fair, FairnessVerdict.fair), (.throttled, .fair), (.fair, .throttled),
    (.throttled, .prioritised), (.inconclusive(.noisy), .inconclusive(.noisy)),
  ])
  func locatesOnlyWhatBothFind(_ first: FairnessVerdict, _ second: FairnessVerdict) {
    let actions = run(Array(Self.asked.dropLast()) + [.compared(first: first, second: second)]).1
    #expect(actions == [.located(.alike)])
    #expect(LocalizeAnswer.alike.location == .noEvidence)
  }

  @Test func oneDirectionIsEnough() {
    let end = LocalizeEvent.compared(first: .throttled, second: .blocked)
    guard case .post? = run(Array(Self.asked.dropLast()) + [end]).1.first else {
      Issue.record("the server is not asked")
      return
    }
  }

  /// UPLINK.md, 9: below 5 %, or half of all lengths of intervals below 5 %.
  @Test(arguments: [
    (#"{"pairsum_vs_single_xput":{"mwuPVal":0.0499}}"#, Location.common),
    (#"{"pairsum_vs_single_xput":{"mwuPVal":0.05}}"#, .noEvidence),
    (#"{"pairsum_vs_single_xput":{"mwuPVal":"0.01"}}"#, .common),
    (#"{"loss_correlation":{"corrPValues":[0.01,0.9]}}"#, .common),
    (#"{"loss_correlation":{"corrPValues":[0.01,0.9,0.9]}}"#, .noEvidence),
    (#"{"loss_correlation":{"corrPValues":[0.05,0.05]}}"#, .noEvidence),
    (#"{"loss_correlation":{"corrPValues":[]}}"#, .inconclusive),
    (#"{"pairsum_vs_single_xput":{"mwuPVal":"NaN"}}"#, .inconclusive),
    (#"{"pairsum_vs_single_xput":{"mwuPVal":2}}"#, .inconclusive),
    (#"{"pairsum_vs_single_xput":[],"loss_correlation":1}"#, .inconclusive), ("{}", .inconclusive),
    ("1", .inconclusive),
  ])
  func judgesWhatServersSay(_ response: String, _ location: Location) throws {
    let answer = try #require(place(response))
    #expect(answer.location == location)
  }

  /// What leads to each error.
  private static let failures: [(Kind, [LocalizeEvent], LocalizePlan, Bool)] = {
    let none = answer(#"{"success":true,"response":{"server-ip-pairs":[]}}"#)
    let again: (LocalizeEvent) -> [LocalizeEvent] = {
      [$0, .timeIsOver, $0, .timeIsOver, $0]
    }
    let usual = plan()
    func lost(_ kind: ReplayError.Kind) -> [LocalizeEvent] {
      [.begin, pairs, .ended(.failed(ReplayError(kind)))]
    }
    let compared = Array(asked.dropLast())
    return [
      (.noPair, [.begin, none], usual, false),
      (.pairRequestFailed, [.begin, .unanswered], usual, false),
      (.pairRefused, [.begin, answer(#"{"success":false,"error":"none"}"#)], usual, false),
      (.pairMalformed, [.begin, answer("<html>")], usual, false),
      (
        .pairMalformed,
        [.begin, answer(#"{"success":true,"response":{"server-ip-pairs":[["a;b","c","d"]]}}"#)],
        usual, false
      ), (.sitesMalformed, [.begin, answer(#"{"success":true,"response":{}}"#)], usual, true),
      (.siteUnreachable, [.begin, pairs, .notOpened, .notOpened], usual, true),
      (.replayReceive, lost(.lost), usual, false), (.replaySend, lost(.blocked), usual, false),
      (.replaySend, lost(.connect), usual, false), (.replayUnknown, lost(.malformed), usual, false),
      (.replayCount, compared + [finished], usual, false),
      (.analysisGaveUp, compared + [.notCompared(AnalysisError(.analysisGaveUp))], usual, false),
      (.analysisGaveUp, compared + [.notCompared(AnalysisError(.analysisRefused))], usual, false),
      (.resultGaveUp, compared + [.notCompared(AnalysisError(.resultGaveUp))], usual, false),
      (.notSerializable, asked, plan(server: ""), false),
      (.noReplayPort, asked, plan(port: nil), false),
      (.localizeGaveUp, asked + again(.unanswered), usual, false),
      (.localizeGaveUp, asked + again(answer(#"{"success":false}"#)), usual, false),
      (.answerGaveUp, begun + again(.unanswered), usual, false),
      (.answerEmpty, begun + again(answer("null")), usual, false),
      (.answerEmpty, begun + again(answer("")), usual, false),
      (.answerNotReady, begun + again(success), usual, false),
      (
        .answerError, begun + again(answer(#"{"success":false,"error":"No result found"}"#)),
        usual, false
      ),
      (
        .answerMissing, begun + again(answer(#"{"success":false,"missing":"userID"}"#)), usual,
        false
      ),
    ]
  }()

  @Test func namesWhatGoesWrong() {
    for (kind, events, plan, isOfSites) in Self.failures {
      var (session, actions) = run(events, plan, isOfSites: isOfSites)
      guard case .failed(let error)? = actions.first, actions.count == 1 else {
        Issue.record("\(kind): \(actions)")
        continue
      }
      #expect(error.kind == kind && error.remedy != nil && !error.reason.isEmpty, "\(kind)")
      // It is over.
      #expect(session.take(Self.finished) == [] && session.take(.timeIsOver) == [], "\(kind)")
    }
    // The paths are looked at elsewhere, and a recording is read before.
    let others: Set<Kind> = [
      .recordingUnreadable, .noFork, .pathsMeetAgain, .sameServer, .pathUnknown,
    ]
    #expect(Set(Self.failures.map(\.0)).union(others) == Set(Kind.allCases))
  }

  @Test(arguments: [
    ReplayError.Kind.addressBusy, .overloaded, .unknownRecording, .refused, .cancelled,
  ])
  func leavesReplaysTheirReasons(_ kind: ReplayError.Kind) {
    let error = ReplayError(kind)
    #expect(run([.begin, Self.pairs, .ended(.failed(error))]).1 == [.broken(error)])
  }

  @Test func waitsBetweenAttempts() {
    #expect(run(Self.asked + [.unanswered]).1 == [.wait(2)])
    guard case .post? = run(Self.asked + [.unanswered, .timeIsOver]).1.first else {
      Issue.record("no second question")
      return
    }
    #expect(run(Self.begun + [Self.success]).1 == [.wait(2)])
    guard case .get? = run(Self.begun + [Self.success, .timeIsOver]).1.first else {
      Issue.record("no second question")
      return
    }
  }
}
