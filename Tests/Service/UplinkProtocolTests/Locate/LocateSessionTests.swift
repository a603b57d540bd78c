import Diagnosis
import Testing

@testable import UplinkProtocol

struct LocateSessionTests {
  private static let service = "https://locate.example/v2/priority/nearest/wehe/replay"

  static func result(_ machine: String, _ url: String) -> String {
    #"{"machine":"\#(machine)","location":{"city":"x"},"#
      + #""urls":{"wss://:4443/v0/envelope/access":"\#(url)"}}"#
  }

  static func answer(_ results: [String]) -> String {
    #"{"results":[\#(results.joined(separator: ","))]}"#
  }

  private func machine(_ number: Int) throws -> LocatedMachine {
    let url = try #require(WebSocketURL("wss://wehe-mlab\(number).example:4443/v0?access_token=a"))
    return LocatedMachine(name: "mlab\(number).example", access: url)
  }

  private func answered(_ count: Int) -> LocateEvent {
    let results = (1...count).map {
      Self.result("mlab\($0).example", "wss://wehe-mlab\($0).example:4443/v0?access_token=a")
    }
    return .answered(status: 200, Array(Self.answer(results).utf8))
  }

  private func kind(_ action: LocateAction?) -> LocateError.Kind? {
    guard case .failed(let error)? = action else { return nil }
    #expect(error.remedy != nil)
    return error.kind
  }

  @Test func takesTheFirstThatOpens() throws {
    var session = LocateSession(Self.service)
    #expect(session.take(.begin, at: 0) == .get(url: Self.service))
    let (first, second) = (try machine(1), try machine(2))
    #expect(session.take(answered(3), at: 1) == .open(first))
    #expect(session.take(.notOpened, at: 4) == .open(second))
    #expect(session.take(.opened, at: 5) == .located(second))
    #expect(second.server == "wehe-mlab2.example")
    #expect(session.take(.opened, at: 6) == nil && session.take(.notOpened, at: 6) == nil)
  }

  @Test func triesFourAtMost() throws {
    var session = LocateSession(Self.service)
    _ = session.take(.begin, at: 0)
    let machines = try (1...4).map { try machine($0) }
    #expect(session.take(answered(9), at: 0) == .open(machines[0]))
    for machine in machines.dropFirst() {
      #expect(session.take(.notOpened, at: 1) == .open(machine))
    }
    #expect(kind(session.take(.notOpened, at: 5)) == .accessRefused)
    #expect(session.take(.notOpened, at: 6) == nil)
  }

  @Test func triesNoneWhoseTokenIsOver() throws {
    var session = LocateSession(Self.service)
    _ = session.take(.begin, at: 0)
    _ = session.take(answered(3), at: 10)
    let second = try machine(2)
    #expect(session.take(.notOpened, at: 129.9) == .open(second))
    #expect(kind(session.take(.notOpened, at: 130)) == .accessRefused)
  }

  @Test(arguments: [
    ("https://locate.example/v2", "?site=lga0t"), ("https://locate.example/?a=b", "&site=lga0t"),
  ])
  func asksForASite(_ url: String, _ end: String) {
    var session = LocateSession(url, site: "lga0t")
    #expect(session.take(.begin, at: 0) == .get(url: url + end))
    var other = LocateSession(url, site: "a&b=c")
    #expect(other.take(.begin, at: 0) == .get(url: url))
  }

  @Test func saysWhatTheServiceDoes() {
    let cases: [(LocateEvent, LocateError.Kind)] = [
      (.unanswered("x"), .unanswered), (.answered(status: 429, []), .unanswered),
      (.answered(status: 200, Array("<html>".utf8)), .malformed),
    ]
    for (event, expected) in cases {
      var session = LocateSession(Self.service)
      _ = session.take(.begin, at: 0)
      #expect(kind(session.take(event, at: 0)) == expected)
    }
  }

  @Test func leavesOutWhatCannotBeUsed() throws {
    let results = [
      Self.result("a;b", "wss://a.example/"), Self.result("../a", "wss://a.example/"),
      Self.result("", "wss://a.example/"), Self.result("a.example", "ws://a.example/"),
      Self.result("a.example", "https://a.example/"), "1", "{}", "null",
      #"{"machine":"a.example","urls":{}}"#, #"{"machine":"a.example","urls":["x"]}"#,
      Self.result("mlab1.example", "wss://wehe-mlab1.example:4443/v0?access_token=a"),
    ]
    let answer = try LocateAnswer(Array(Self.answer(results).utf8))
    let usable = try machine(1)
    #expect(answer.machines == [usable])
  }

  @Test func refusesOtherAnswers() {
    let deep = String(repeating: "[", count: 10_000)
    let many = Self.answer([String](repeating: "1", count: 1001))
    for text in [
      "", "{}", "[]", #"{"results":{}}"#, #"{"results":[]}"#, #"{"results":[1]}"#,
      #"{"results":[],"results":[]}"#, "{\"results\":" + deep, many,
      String(repeating: " ", count: LocateAnswer.size + 1),
    ] {
      let error = #expect(throws: LocateError.self) { try LocateAnswer(Array(text.utf8)) }
      #expect(error?.kind == .malformed, "\(text.prefix(50))")
    }
  }
}
