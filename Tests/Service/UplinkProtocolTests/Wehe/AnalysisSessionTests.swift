import Diagnosis
import Testing
import UplinkProtocol

struct AnalysisSessionTests {
  static let response =
    #"{"replayName":"Pandora-05132024","date":"2026-11-25 23:20:31","userID":"abcdefghi1","#
    + #""extraString":"Luna","historyCount":"3","testID":"1","area_test":"0.25","#
    + #""ks2_ratio_test":"1.0","xput_avg_original":"3","xput_avg_test":"4.0","#
    + #""ks2dVal":"0.5","ks2pVal":"1e-05"}"#
  private static let success = answer(#"{"success": true}"#)
  private static let notYet = answer(#"{"success": false, "error": "No result found"}"#)
  private static let test = "userID=abcdefghi1&historyCount=3&testID=1"

  private static func answer(_ text: String) -> AnalysisEvent { .answered(Array(text.utf8)) }

  private static func answer(response: String) -> AnalysisEvent {
    answer(#"{"success": true, "response": \#(response)}"#)
  }

  private func session() throws -> AnalysisSession {
    let recording = try RecordingTests.read(RecordingTests.file([RecordingTests.tcp()]))
    let plan = ReplayPlan(
      user: "abcdefghi1", recording: recording, isControl: false, extra: "Luna", history: 3,
      isLast: false)
    return AnalysisSession(try #require(plan))
  }

  /// A session that has been told so far, and what it does last.
  private func run(_ events: [AnalysisEvent]) throws -> (AnalysisSession, [AnalysisAction]) {
    var session = try session()
    var actions: [AnalysisAction] = []
    for event in events { actions = session.take(event) }
    return (session, actions)
  }

  private func failure(_ actions: [AnalysisAction]) -> AnalysisError? {
    guard case .finish(.failed(let error))? = actions.first else { return nil }
    return error
  }

  /// The events up to the question for the result.
  private static let asked: [AnalysisEvent] = [.begin, .timeIsOver, success, .timeIsOver]

  @Test func asksForTheResult() throws {
    var session = try session()
    #expect(session.take(.begin) == [.wait(3)])
    #expect(session.take(.timeIsOver) == [.post(form: "command=analyze&\(Self.test)")])
    #expect(session.take(Self.success) == [.wait(2)])
    #expect(session.take(.timeIsOver) == [.get(query: "command=singleResult&\(Self.test)")])
    guard
      case .finish(.result(let result))? = session.take(Self.answer(response: Self.response)).first
    else {
      Issue.record("no result")
      return
    }
    #expect(result.name.text == "Pandora-05132024" && result.date == "2026-11-25 23:20:31")
    #expect(result.area == 0.25 && result.ratio == 1 && result.p == 1e-5 && result.distance == 0.5)
    #expect(result.originalMean == 3 && result.controlMean == 4)
    // It gives that once, and nothing is asked again.
    #expect(session.take(.timeIsOver).isEmpty && session.take(.begin).isEmpty)
  }

  @Test func waitsLongerEachTime() throws {
    for failure in [AnalysisEvent.unanswered, Self.notYet, Self.answer("<html>")] {
      var session = try session()
      var waits: [Int] = []
      var actions = session.take(.begin)
      while case .wait(let seconds)? = actions.first {
        waits.append(seconds)
        _ = session.take(.timeIsOver)
        actions = session.take(failure)
      }
      #expect(waits == [3, 6, 9, 12, 15] && self.failure(actions)?.kind == .analysisGaveUp)
    }
  }

  @Test func asksTwentyTimes() throws {
    var (session, actions) = try run(Self.asked)
    var waits: [Int] = []
    while case .get? = actions.first {
      actions = session.take(Self.notYet)
      guard case .wait(let seconds)? = actions.first else { break }
      waits.append(seconds)
      actions = session.take(.timeIsOver)
    }
    #expect(waits == Array(1...19) && failure(actions)?.kind == .resultGaveUp)
  }

  /// A result that was read, and one that is unknown, get no answer of HTTP at all.
  @Test func neverAsksAgain() throws {
    let (asked, actions) = try run(Self.asked + [.unanswered])
    var session = asked
    #expect(failure(actions)?.kind == .resultGaveUp)
    #expect(session.take(.timeIsOver).isEmpty && session.take(Self.success).isEmpty)
  }

  @Test func saysWhatIsMissing() throws {
    let missing = Self.answer(#"{"success": false, "missing": ["userID"]}"#)
    let begun: [AnalysisEvent] = [.begin, .timeIsOver]
    for events in [begun + [missing], Self.asked + [missing]] {
      let error = try #require(failure(try run(events).1))
      #expect(error.kind == .analysisRefused && "\(error)".contains("userID"))
      #expect(error.diagnosis.remedy != nil)
    }
  }

  @Test(arguments: [
    ("\"userID\":\"abcdefghi1\"", "\"userID\":\"somebody\"", "userID"),
    ("\"3\",\"testID\"", "\"4\",\"testID\"", "historyCount"), ("0.25", "nan", "area_test"),
    ("0.25", "2", "area_test"), ("1e-05", "-1", "ks2pVal"), ("1e-05", "inf", "ks2pVal"),
    ("\"4.0\"", "[]", "xput_avg_test"), ("Pandora-", "../", "replayName"),
    ("2026-11-25 23:20:31", "2026-11-25T23:20:31", "date"), ("ks2dVal", "x", "ks2dVal"),
  ])
  func refusesAResult(_ old: String, _ new: String, _ field: String) throws {
    let response = Self.response.replacing(old, with: new)
    let error = try #require(failure(try run(Self.asked + [Self.answer(response: response)]).1))
    #expect(error.kind == .malformed && "\(error)".contains(field), "\(error)")
  }

  @Test(arguments: ["", "null", "[]", "{}", "{\"success\":true}", "{\"response\":7}"])
  func refusesWhatIsNoResult(_ text: String) throws {
    let error = failure(try run(Self.asked + [Self.answer(text)]).1)
    #expect(error?.kind == .malformed)
  }

  @Test func refusesDepthAndLength() throws {
    for text in [
      String(repeating: "{\"response\":", count: 10_000),
      "{\"response\":\"\(String(repeating: "x", count: AnalysisSession.answerSize))\"}",
    ] {
      #expect(failure(try run(Self.asked + [Self.answer(text)]).1)?.kind == .malformed)
    }
  }

  @Test func comparesWithOurs() throws {
    let (original, control) = ([1.0, 2, 3, 4, 5], [3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5])
    let ours = try OriginalJudgement(original: original, control: control, rule: .java)
    let (area, test) = (try #require(ours.area), try #require(ours.test))
    func agrees(area: Double, p: Double, mean: Double = 6.5) throws -> Bool {
      let response = Self.response.replacing("0.25", with: "\(area)")
        .replacing("1e-05", with: "\(p)").replacing("\"0.5\"", with: "\"\(test.distance)\"")
        .replacing("\"4.0\"", with: "\"\(mean)\"")
      guard
        case .finish(.result(let result))? = try run(
          Self.asked + [Self.answer(response: response)]
        ).1.first
      else { return false }
      return result.agrees(with: ours, original: original, control: control)
    }
    #expect(try agrees(area: area, p: test.p))
    #expect(try agrees(area: area * (1 + 1e-11), p: test.p * (1 - 1e-11)))
    #expect(try !agrees(area: area * 1.00001, p: test.p))
    #expect(try !agrees(area: -area, p: test.p))
    #expect(try !agrees(area: area, p: test.p * 1.001))
    #expect(try !agrees(area: area, p: test.p, mean: 6.51))
  }
}
