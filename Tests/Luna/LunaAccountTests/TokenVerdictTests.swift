import LunaClient
import SafeText
import Testing

@testable import LunaAccount

@Suite("What the answer of a token endpoint means")
struct TokenVerdictTests {
  private func verdict(_ status: Int, _ body: String, retryAfter: Int? = nil) -> TokenVerdict {
    var answer = HTTPAnswer(status: status, body: Array(body.utf8), retryAfter: retryAfter)
    defer { #expect(answer.body.allSatisfy { $0 == 0 }, "the answer is wiped") }
    return TokenVerdict(&answer)
  }

  @Test("A token, and what comes with it")
  func tokens() {
    let body =
      #"{"access_token":"a\/b","token_type":"Bearer","expires_in":"90","refresh_token":"r","id_token":"#
      + #""x.y.z","scope":"openid read"}"#
    guard case .tokens(let grant) = verdict(200, body) else {
      Issue.record("no tokens")
      return
    }
    #expect(grant.accessToken.text == "a/b")
    #expect(grant.refreshToken?.text == "r")
    #expect(grant.idToken?.text == "x.y.z")
    #expect(grant.scope == "openid read")
    #expect(grant.expiresIn == 90)
  }

  @Test("Times with a fraction, and an error that is none", arguments: ["90.5", "\"90.5\""])
  func fractions(_ time: String) {
    let body = #"{"access_token":"a","expires_in":\#(time),"error":null}"#
    guard case .tokens(let grant) = verdict(200, body) else { return fail(body) }
    #expect(grant.expiresIn == 90)
  }

  @Test("Times that are none", arguments: ["-5", "null", "\"soon\"", "\"nan\"", "{}", "1e400"])
  func times(_ time: String) {
    let answer = verdict(200, #"{"access_token":"a","expires_in":\#(time)}"#)
    if time == "1e400" {
      guard case .undecodable = answer else { return fail("\(answer)") }
    } else {
      guard case .tokens(let grant) = answer else { return fail("\(answer)") }
      #expect(grant.expiresIn == nil)
    }
  }

  @Test(
    "200 that cannot be read",
    arguments: [
      "", "<html>Log in</html>", "{}", "[]", "null", #"{"access_token":5}"#,
      #"{"access_token":""}"#, #"{"access_token":"a b"}"#, #"{"access_token":"a\r\nX: y"}"#,
      #"{"access_token":"a""#, #"{"error":"invalid_grant"}"#,
      #"{"access_token":"a","error":"x"}"#, #"{"x":{"access_token":"a"}}"#,
      #"{"access_token":["a"]}"#,
    ])
  func undecodable(_ body: String) {
    guard case .undecodable = verdict(200, body) else { return fail("\(body)") }
  }

  @Test("The grant is over", arguments: [400, 401])
  func invalidGrant(_ status: Int) {
    for body in [#"{"error":"invalid_grant"}"#, ""] {
      guard case .invalidGrant = verdict(status, body) else { return fail("\(body)") }
    }
  }

  @Test(
    "Another error of OAuth",
    arguments: ["invalid_client", "unauthorized_client", "invalid_scope", "something_new"])
  func oauth(_ code: String) {
    let body = #"{"error":"\#(code)","error_description":"why"}"#
    for status in [400, 401] {
      guard case .oauth(code, "why") = verdict(status, body) else { return fail("\(code)") }
    }
  }

  @Test(
    "What says nothing about the grant",
    arguments: [
      (400, "<html>"), (401, "{}"), (400, #"{"error":5}"#), (401, " "), (302, ""), (303, ""),
      (403, #"{"error":"invalid_grant"}"#), (404, ""), (407, ""), (408, ""), (429, ""), (500, ""),
      (502, "<html>"), (503, ""), (599, ""), (201, #"{"access_token":"a"}"#),
      (400, #"{"error":"temporarily_unavailable"}"#),
    ])
  func later(_ status: Int, _ body: String) {
    guard case .later(status, 7, _) = verdict(status, body, retryAfter: 7) else {
      return fail("\(status) \(body)")
    }
  }

  private func deviceVerdict(
    _ status: Int, _ error: String, retryAfter: Int? = nil
  ) -> TokenVerdict {
    let body = Array(#"{"error":"\#(error)","error_description":"why"}"#.utf8)
    var answer = HTTPAnswer(status: status, body: body, retryAfter: retryAfter)
    defer { #expect(answer.body.allSatisfy { $0 == 0 }, "the answer is wiped") }
    return TokenVerdict.ofDevice(&answer)
  }

  @Test("What is said of a code for another device, with the statuses of Auth0 and Google")
  func ofDevice() {
    let errors = ["authorization_pending", "slow_down", "access_denied", "expired_token"]
    for error in errors + ["authorization_declined"] {
      for status in [400, 403, 428, 429] {
        guard case .oauth(error, "why") = deviceVerdict(status, error) else {
          return fail("\(status) \(error)")
        }
      }
    }
    let others: [(status: Int, error: String, retryAfter: Int?)] = [
      (403, "invalid_grant", nil), (403, "quota", nil), (429, "slow_down", 7),
      (500, "access_denied", nil), (403, "server_error", nil),
    ]
    for (status, error, retryAfter) in others {
      let verdict = deviceVerdict(status, error, retryAfter: retryAfter)
      guard case .later(status, retryAfter, _) = verdict else { return fail("\(status) \(error)") }
    }
    guard case .invalidGrant = deviceVerdict(400, "invalid_grant") else { return fail("400") }
  }
}
