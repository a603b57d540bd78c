import JSONWebToken
import LunaJSON
import Testing

@testable import LunaBackend

@Suite("Which tokens are for a backend")
struct TokenRulesTests {
  private static let now: Int64 = 1_800_000_000
  private static let us = "https://luna.example"
  private static let good: JSONObject = [
    "iss": "https://id.example", "sub": "person", "aud": .string(us), "exp": .integer(now + 60),
  ]

  private var issuer = TrustedIssuer("https://id.example")

  /// The claims with some of them changed; null takes one away.
  private func claims(_ changes: JSONObject) -> JSONObject {
    var claims = Self.good
    for change in changes.members {
      claims.members.removeAll { $0.name == change.name }
      if change.value != .null { claims.append(change.name, change.value) }
    }
    return claims
  }

  private func judge(
    _ changes: JSONObject, type: String? = "at+jwt", at now: Int64 = Self.now
  ) throws -> String {
    let token = try WebToken.sample(claims(changes), type: type)
    do throws(TokenRules.Refusal) {
      return try TokenRules(issuer, publicURL: Self.us).subject(of: token, at: now)
    } catch {
      return "refused: \(error)"
    }
  }

  @Test("A good one")
  func isGood() throws {
    #expect(try judge([:]) == "person")
    #expect(try judge([:], type: "application/AT+JWT") == "person")
    #expect(try judge(["aud": .array(["https://other.example", .string(Self.us)])]) == "person")
  }

  @Test(
    "The issuer is compared to the letter",
    arguments: [
      "https://id.example/", "https://ID.example", "http://id.example", "https://id.example:443",
      "https://id.example/x", "",
    ])
  func issuers(_ name: String) throws {
    #expect(try judge(["iss": .string(name)]) == "refused: issuer")
  }

  @Test("Times, with a minute for clocks that differ")
  func times() throws {
    #expect(try judge(["exp": .integer(Self.now - 59)]) == "person")
    #expect(try judge(["exp": .integer(Self.now - 60)]) == "refused: expired")
    #expect(try judge(["exp": .integer(.min)]) == "refused: expired")
    #expect(try judge(["exp": .integer(.max)]) == "person")
    #expect(try judge(["exp": .null]) == "refused: endless")
    #expect(try judge(["nbf": .integer(Self.now + 60)]) == "person")
    #expect(try judge(["nbf": .integer(Self.now + 61)]) == "refused: early")
    #expect(try judge(["nbf": .integer(.max)]) == "refused: early")
    // From tomorrow.
    #expect(try judge(["iat": .integer(Self.now + 86_400)]) == "refused: early")
  }

  @Test("For something else")
  func audiences() throws {
    #expect(try judge(["aud": "https://other.example"]) == "refused: audience")
    #expect(try judge(["aud": .string(Self.us + "/")]) == "refused: audience")
    #expect(try judge(["aud": .null]) == "refused: audience")
    #expect(try judge(["aud": []]) == "refused: audience")
  }

  @Test("Another audience than the address")
  mutating func ownAudience() throws {
    issuer.audience = "urn:fleet"
    #expect(try judge(["aud": "urn:fleet"]) == "person")
    #expect(try judge([:]) == "refused: audience")
  }

  @Test("Where the scope stands in aud, the program tells")
  mutating func scopes() throws {
    issuer.isAudienceScope = true
    issuer.clients = ["luna"]
    let good: JSONObject = ["aud": "openid read", "scope": "openid read", "client_id": "luna"]
    #expect(try judge(good) == "person")
    var other = good
    other.members[2].value = "other"
    #expect(try judge(other) == "refused: audience")
    #expect(try judge(["aud": "openid", "scope": "openid"]) == "refused: audience")
    #expect(
      try judge(["aud": "https://other.example", "scope": "openid", "client_id": "luna"])
        == "refused: audience")
    #expect(
      try judge(["aud": .null, "scope": "openid", "client_id": "luna"])
        == "refused: audience")
  }

  @Test("ID tokens only of programs that are named")
  mutating func idTokens() throws {
    let token: JSONObject = ["aud": "app"]
    for type in ["JWT", nil] {
      #expect(try judge(token, type: type) == "refused: audience")
      #expect(try judge([:], type: type) == "refused: audience")
    }
    issuer.idTokenClients = ["app"]
    for type in ["JWT", nil] {
      #expect(try judge(token, type: type) == "person")
      #expect(try judge(["aud": "console"], type: type) == "refused: audience")
      #expect(try judge(["aud": ["app", "console"]], type: type) == "refused: audience")
      #expect(try judge(["aud": ["app", "other"], "azp": "app"], type: type) == "person")
      #expect(
        try judge(["aud": ["app", "console"], "azp": "console"], type: type)
          == "refused: audience")
      #expect(try judge(["aud": "console", "azp": "app"], type: type) == "refused: audience")
    }
    // It is no access token.
    #expect(try judge(token) == "refused: audience")
  }

  @Test("Other kinds of tokens", arguments: ["logout+jwt", "secevent+jwt", "dpop+jwt", "x"])
  func kinds(_ type: String) throws {
    #expect(try judge([:], type: type) == "refused: type")
  }

  @Test("Somebody it has to be")
  func subjects() throws {
    #expect(try judge(["sub": .null]) == "refused: subject")
    #expect(try judge(["sub": ""]) == "refused: subject")
  }

  private func judgeAnswer(_ answer: JSONObject) throws -> String {
    let claims = try WebTokenClaims(answer: answer)
    do throws(TokenRules.Refusal) {
      return try TokenRules(issuer, publicURL: Self.us).subject(of: claims, at: Self.now)
    } catch {
      return "refused: \(error)"
    }
  }

  @Test("What an issuer says that was asked")
  mutating func answers() throws {
    let aud = JSONValue.string(Self.us)
    #expect(try judgeAnswer(["active": true, "sub": "person", "aud": aud]) == "person")
    #expect(try judgeAnswer(["active": false, "sub": "person", "aud": aud]) == "refused: inactive")
    #expect(try judgeAnswer(["active": "true", "sub": "a", "aud": aud]) == "refused: inactive")
    #expect(try judgeAnswer(["sub": "person", "aud": aud]) == "refused: inactive")
    #expect(try judgeAnswer(["active": true, "aud": aud]) == "refused: subject")
    #expect(try judgeAnswer(["active": true, "sub": "a"]) == "refused: audience")
    #expect(
      try judgeAnswer(["active": true, "sub": "a", "aud": aud, "iss": "https://x.example"])
        == "refused: issuer")
    #expect(
      try judgeAnswer([
        "active": true, "sub": "a", "aud": aud, "exp": .integer(Self.now - 100),
      ]) == "refused: expired")
    let byClient: JSONObject = ["active": true, "sub": "person", "client_id": "luna"]
    #expect(try judgeAnswer(byClient) == "refused: audience")
    issuer.clients = ["luna"]
    #expect(try judgeAnswer(byClient) == "person")
    var other = byClient
    other.append("aud", "https://other.example")
    #expect(try judgeAnswer(other) == "refused: audience")
  }

  @Test("An issuer that leaves the subject out (RFC 7662, 2.2)")
  mutating func answersWithoutSubject() throws {
    issuer.introspection = "https://id.example/introspect"
    issuer.clients = ["luna"]
    func judge(_ members: JSONObject) throws -> String {
      var answer: JSONObject = ["active": true, "client_id": "luna"]
      answer.members += members.members
      return try judgeAnswer(answer)
    }
    #expect(try judge(["username": "ada"]) == "username:ada")
    #expect(try judge([:]) == "client:luna")
    // The subject goes first, and never is what somebody else is called.
    #expect(try judge(["username": "ada", "sub": "1"]) == "1")
    for subject in ["username:ada", "client:luna", "a\u{0}", ""] {
      #expect(try judge(["sub": .string(subject)]) == "refused: subject")
    }
    for name: JSONValue in ["", "a\u{0}", 5, .null, .string(String(repeating: "a", count: 1025))] {
      #expect(try judge(["username": name]) == "refused: subject")
    }
    // A program that acts for nobody only where it is named.
    let aud = JSONValue.string(Self.us)
    #expect(try judgeAnswer(["active": true, "aud": aud]) == "refused: subject")
    #expect(
      try judgeAnswer(["active": true, "aud": aud, "client_id": "x"]) == "refused: subject")
    #expect(try judgeAnswer(["active": true, "aud": aud, "username": "ada"]) == "username:ada")
    #expect(try judgeAnswer(["active": true, "client_id": "x"]) == "refused: audience")
  }

  @Test("What an answer calls null it does not say")
  mutating func nulls() throws {
    issuer.clients = ["luna"]
    let names = ["iss", "aud", "exp", "nbf", "iat", "azp", "nonce", "scope", "username"]
    func answer(_ members: JSONObject, nulls: [String]) -> JSONObject {
      var all = members
      for name in nulls where all[name] == nil { all.append(name, .null) }
      return all
    }
    let good: JSONObject = ["active": true, "sub": "person", "client_id": "luna"]
    #expect(try judgeAnswer(answer(good, nulls: names)) == "person")
    let aud = JSONValue.string(Self.us)
    let named: JSONObject = ["active": true, "sub": "person", "aud": aud]
    #expect(try judgeAnswer(answer(named, nulls: names + ["client_id"])) == "person")
    #expect(try judgeAnswer(answer(["active": false], nulls: names)) == "refused: inactive")
    // Nobody is taken for a program because their name is kept back.
    let nameless: JSONObject = ["active": true, "client_id": "luna"]
    #expect(try judgeAnswer(answer(nameless, nulls: names)) == "refused: subject")
    #expect(
      try judgeAnswer(answer(nameless, nulls: names + ["sub"])) == "refused: subject")
  }

  @Test("ID tokens for a sign-in")
  func signIns() throws {
    let good: JSONObject = [
      "aud": "console", "iat": .integer(Self.now - 5), "nonce": "n", "sub": "person",
    ]
    func judge(_ changes: JSONObject, type: String? = "JWT") throws -> String {
      var all = good
      for change in changes.members {
        all.members.removeAll { $0.name == change.name }
        all.append(change.name, change.value)
      }
      let token = try WebToken.sample(claims(all), type: type)
      do throws(TokenRules.Refusal) {
        return try TokenRules(issuer, publicURL: Self.us).subject(
          ofSignIn: token, client: "console", nonce: "n", at: Self.now)
      } catch {
        return "refused: \(error)"
      }
    }
    #expect(try judge([:]) == "person")
    #expect(try judge([:], type: nil) == "person")
    #expect(try judge([:], type: "at+jwt") == "refused: type")
    #expect(try judge(["aud": ["console", "other"], "azp": "console"]) == "person")
    #expect(try judge(["aud": ["console", "other"]]) == "refused: client")
    #expect(try judge(["azp": "other"]) == "refused: client")
    #expect(try judge(["aud": "other", "azp": "console"]) == "refused: audience")
    #expect(try judge(["aud": .string(Self.us)]) == "refused: audience")
    #expect(try judge(["nonce": "N"]) == "refused: nonce")
    #expect(try judge(["nonce": .null]) == "refused: nonce")
    #expect(try judge(["iat": .null]) == "refused: undated")
    #expect(try judge(["iat": .integer(Self.now + 61)]) == "refused: early")
    #expect(try judge(["exp": .integer(Self.now - 60)]) == "refused: expired")
    #expect(try judge(["exp": .null]) == "refused: endless")
    #expect(try judge(["iss": "https://id.example/"]) == "refused: issuer")
    #expect(try judge(["sub": "a\u{0}"]) == "refused: subject")
  }
}
