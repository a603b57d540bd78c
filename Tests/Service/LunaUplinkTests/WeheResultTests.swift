import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

/// The question for a result, to a scripted server.
@Suite(.timeLimit(.minutes(10))) struct WeheResultTests {
  private static let test = "userID=abcdefghi1&historyCount=3&testID=1"
  private static let success = answer(#"{"success": true}"#)

  private static func answer(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func plan() throws -> ReplayPlan {
    let pair = "127.000.000.001.40000-127.000.000.001.00080"
    let recording = try Recording(
      Array(
        (#"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"00","response_len":1,"#
          + #""response_hash":null}],[],["\#(pair)"],"Luna-11252026"]"#).utf8))
    let plan = ReplayPlan(
      user: "abcdefghi1", recording: recording, isControl: false, extra: "0", history: 3,
      isLast: false)
    return try #require(plan)
  }

  private func ask(_ server: ScriptedServer) async throws -> AnalysisOutcome {
    var client = WeheClient(try await ServerAddress.find("127.0.0.1"))
    client.resultsPort = server.port
    return try await client.result(of: try plan(), clock: HurriedClock())
  }

  @Test func asksUntilThereIsOne() async throws {
    let response =
      #"{"replayName":"Luna-11252026","date":"2026-11-25 23:20:31","userID":"abcdefghi1","#
      + #""extraString":"0","historyCount":"3","testID":"1","area_test":"0.1","ks2_ratio_test":"1","#
      + #""xput_avg_original":"3","xput_avg_test":"4","ks2dVal":"0.5","ks2pVal":"0.25"}"#
    let server = ScriptedServer([
      Self.success, Self.answer(#"{"success": false, "error": "No result found"}"#),
      Self.answer(#"{"success": true, "response": \#(response)}"#),
    ])
    guard case .result(let result) = try await ask(server) else {
      Issue.record("no result")
      return
    }
    #expect(result.p == 0.25 && result.area == 0.1)
    let requests = server.requests
    #expect(requests.count == 3)
    #expect(requests[0].hasPrefix("POST /Results HTTP/1.1\r\n"))
    #expect(requests[0].hasSuffix("\r\n\r\ncommand=analyze&\(Self.test)"))
    for request in requests.dropFirst() {
      #expect(request.hasPrefix("GET /Results?command=singleResult&\(Self.test) HTTP/1.1\r\n"))
    }
  }

  /// The certificate is for another name than the server's.
  @Test func asksOverTLS() async throws {
    let server = ScriptedServer([Self.success, ""])
    let authority = try TestAuthority()
    let front = try TestServer()
    front.front(2, try authority.certify("DNS:wehe.example"), to: server.port)
    var client = WeheClient(
      try await ServerAddress.find("127.0.0.1"), authorities: authority.certificate)
    client.resultsPort = front.port
    let outcome = try await client.result(of: try plan(), clock: HurriedClock())
    guard case .failed(let error) = outcome else {
      Issue.record("a result")
      return
    }
    #expect(error.kind == .resultGaveUp && server.requests.count == 2)
    #expect(server.requests[0].hasSuffix("\r\n\r\ncommand=analyze&\(Self.test)"))
    withExtendedLifetime(authority) {}
  }

  @Test func asksNobodyWhomItDoesNotTrust() async throws {
    let server = ScriptedServer([])
    let front = try TestServer()
    front.front(5, try TestAuthority().certify("DNS:wehe.example"), to: server.port)
    let other = try TestAuthority()
    var client = WeheClient(
      try await ServerAddress.find("127.0.0.1"), authorities: other.certificate)
    client.resultsPort = front.port
    let outcome = try await client.result(of: try plan(), clock: HurriedClock())
    guard case .failed(let error) = outcome else {
      Issue.record("a result")
      return
    }
    #expect(error.kind == .analysisGaveUp && server.requests.isEmpty)
    withExtendedLifetime(other) {}
  }

  /// A result that was read already gets no answer of HTTP at all.
  @Test func doesNotAskAgainWithoutAnAnswer() async throws {
    let server = ScriptedServer([Self.success, ""])
    guard case .failed(let error) = try await ask(server) else {
      Issue.record("a result")
      return
    }
    #expect(error.kind == .resultGaveUp && server.requests.count == 2)
  }

  @Test func followsNoRedirect() async throws {
    let body = "Location: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    let server = ScriptedServer(
      [String?](repeating: "HTTP/1.1 302 Found\r\n\(body)", count: 5))
    guard case .failed(let error) = try await ask(server) else {
      Issue.record("a result")
      return
    }
    #expect(error.kind == .analysisGaveUp && server.requests.count == 5)
    #expect(server.requests.allSatisfy { $0.hasPrefix("POST /Results ") })
  }
}
