import HTTPServer
import LunaClient
import LunaCrypto
import LunaJSON
import SafeText
import Synchronization
import Testing

@testable import LunaAccount

@Suite("Signing in and out", .timeLimit(.minutes(10)))
struct SignInTests {
  private let state = TemporaryState()
  private let clock = HandClock()

  private func file() throws -> CredentialFile {
    try CredentialFile(state: state.directory, profile: "default")
  }

  private static func json(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status, "application/json", Array(body.utf8))
  }

  @Test("With a code for another device: pending, slower, then tokens")
  func device() async throws {
    let issuer = try await ScriptedIssuer()
    let count = Mutex(0)
    issuer.answer { form in
      guard form["grant_type"] != nil else {
        return Self.json(
          200,
          #"{"device_code":"dc","user_code":"AB\u001b[2J","verification_uri":"https://x.example/d","#
            + #""interval":5,"expires_in":600}"#)
      }
      switch count.withLock({ number in
        number += 1
        return number
      }) {
      case 1: return Self.json(400, #"{"error":"authorization_pending"}"#)
      case 2: return Self.json(400, #"{"error":"slow_down"}"#)
      default: return Self.json(200, #"{"access_token":"a","refresh_token":"r","expires_in":60}"#)
      }
    }
    let account = try issuer.account(state, clock, nil)
    let shown = Mutex<[String]>([])
    let identity = try await account.login { prompt in
      guard case .device(let code, let address, _, _) = prompt else { return }
      shown.withLock { $0.append("\(code) \(address)") }
    }
    #expect(shown.withLock { $0 } == [#"AB\x1b[2J https://x.example/d"#])
    #expect(clock.waited == .seconds(5 + 5 + 10))
    #expect(identity.issuer == issuer.url)
    #expect(issuer.forms("/device") == [["client_id": "luna", "scope": "openid"]])
    #expect(
      issuer.forms().last == [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "luna",
        "device_code": "dc",
      ])
    #expect(try file().read()?.refreshToken?.text == "r")
    #expect(try await account.token(.accessToken).text == "a")
    await issuer.stop()
  }

  @Test("Refused or too late: whoever was signed in is signed out, here and at the issuer")
  func deviceFails() async throws {
    for (error, code) in [("access_denied", AccountError.Code.denied), ("expired_token", .expired)]
    {
      let issuer = try await ScriptedIssuer()
      issuer.answer { form in
        form["grant_type"] == nil
          ? Self.json(
            200, #"{"device_code":"dc","user_code":"A","verification_uri":"https://x.example/d"}"#)
          : Self.json(400, #"{"error":"\#(error)"}"#)
      }
      let account = try issuer.account(state, clock, Samples.credential())
      await #expect { try await account.login(.device) { _ in } } throws: {
        ($0 as? AccountError)?.code == code
      }
      #expect(try file().read() == nil)
      #expect(try await account.identity() == nil)
      #expect(issuer.forms("/revoke") == [["client_id": "luna", "token": "refresh-1"]])
      await issuer.stop()
    }
  }

  @Test("Called off: whoever was signed in is signed out, and told so once")
  func calledOff() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer { _ in
      Self.json(
        200, #"{"device_code":"dc","user_code":"A","verification_uri":"https://x.example/d"}"#)
    }
    let (told, saying) = AsyncStream.makeStream(of: Bool.self)
    let account = try issuer.account(
      state, HandClock(waits: true), Samples.credential(), loginHandler: { saying.yield($0) })
    var news = told.makeAsyncIterator()
    #expect(try await account.identity() != nil)
    #expect(await news.next() == true)
    for _ in 0..<2 {
      let (prompts, asking) = AsyncStream.makeStream(of: Void.self)
      let attempt = Task { try await account.login(.device) { _ in asking.finish() } }
      for await _ in prompts {}
      attempt.cancel()
      await #expect { try await attempt.value } throws: {
        ($0 as? AccountError)?.code == .cancelled
      }
      #expect(try file().read() == nil)
    }
    #expect(await news.next() == false)
    // Nobody was signed in for the second one to end: what comes next is the next sign-in.
    try file().write(Samples.credential(issuer: issuer.url))
    #expect(try await account.identity() != nil)
    #expect(await news.next() == true)
    #expect(issuer.forms("/revoke").count == 1)
    await issuer.stop()
  }

  @Test("Who cannot even be asked, or hears nothing that can be read, stays signed in")
  func staysSignedIn() async throws {
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential())
    // Not asked yet, and asked.
    let answers: [(ScriptedIssuer.Answer, AccountError.Code)] = [
      ({ _ in Self.json(503, "") }, .server),
      ({ _ in Self.json(400, #"{"error":"invalid_scope"}"#) }, .configuration),
      (
        { form in
          form["grant_type"] == nil
            ? Self.json(
              200,
              #"{"device_code":"dc","user_code":"A","verification_uri":"https://x.example/d"}"#)
            : Self.json(200, "<html>")
        }, .undecodable
      ),
    ]
    for (answer, code) in answers {
      issuer.answer(answer)
      await #expect { try await account.login(.device) { _ in } } throws: {
        ($0 as? AccountError)?.code == code
      }
      #expect(try await account.token(.accessToken).text == "access-1")
    }
    await issuer.stop()
    await #expect { try await account.login(.device) { _ in } } throws: { $0 is AccountError }
    #expect(try await account.token(.accessToken).text == "access-1")
    #expect(issuer.forms("/revoke").isEmpty)
  }

  /// Answers an authorization request as a browser would bring it back.
  private func paste(
    _ account: LunaAccount, _ query: @escaping @Sendable ([String: String]) -> String
  ) async throws(AccountError) -> Identity {
    try await account.login(.paste) { prompt in
      guard case .paste(let address, let answer) = prompt else { return }
      answer(query(FormText.fields(of: address.drop { $0 != "?" }.dropFirst())))
    }
  }

  @Test("What is pasted is exchanged with its verifier, and the nonce is checked")
  func pasted() async throws {
    let issuer = try await ScriptedIssuer()
    let asked = Mutex<[String: String]>([:])
    let url = issuer.url
    issuer.answer { _ in
      let nonce = asked.withLock { $0["nonce"] } ?? ""
      let token = Samples.idToken(
        #"{"iss":"\#(url)","aud":"luna","sub":"someone","nonce":"\#(nonce)"}"#)
      return Self.json(200, #"{"access_token":"a","expires_in":60,"id_token":"\#(token)"}"#)
    }
    let account = try issuer.account(state, clock, nil)
    let identity = try await paste(account) { fields in
      asked.withLock { $0 = fields }
      return "http://127.0.0.1/signed-in?code=c1&state=\(fields["state"] ?? "")"
    }
    #expect(identity.subject == "someone")
    let form = try #require(issuer.forms().first)
    #expect(form["grant_type"] == "authorization_code" && form["code"] == "c1")
    #expect(form["redirect_uri"] == asked.withLock { $0["redirect_uri"] })
    let verifier = SecretBytes(try #require(form["code_verifier"]))
    #expect(try CodeGrant.challenge(of: verifier) == asked.withLock { $0["code_challenge"] })
    #expect(try await account.token(.accessToken).text == "a")
    await issuer.stop()
  }

  @Test("Another nonce, another state, an error: nobody is signed in by it, nor any longer")
  func foreignAnswers() async throws {
    let issuer = try await ScriptedIssuer()
    let url = issuer.url
    issuer.answer { _ in
      let token = Samples.idToken(#"{"iss":"\#(url)","aud":"luna","nonce":"other"}"#)
      return Self.json(200, #"{"access_token":"evil","expires_in":60,"id_token":"\#(token)"}"#)
    }
    for (start, hasState, code) in [
      ("code=c", true, AccountError.Code.stateMismatch), ("code=c", false, .stateMismatch),
      ("error=access_denied", true, .denied), ("error=server_error", true, .configuration),
    ] {
      let account = try issuer.account(state, clock, Samples.credential())
      #expect(try await account.token(.accessToken).text == "access-1")
      await #expect {
        try await paste(account) { "\(start)&state=\(hasState ? $0["state"] ?? "" : "x")" }
      } throws: { ($0 as? AccountError)?.code == code }
      #expect(try file().read() == nil)
      #expect(try await account.identity() == nil)
    }
    await issuer.stop()
  }

  @Test("In a browser of this machine")
  func browser() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, #"{"access_token":"a","expires_in":60}"#)
    let account = try issuer.account(state, clock, nil)
    _ = try await account.login(.browser) { prompt in
      guard case .browser(let address) = prompt else { return }
      let fields = FormText.fields(of: address.drop { $0 != "?" }.dropFirst())
      let target = (fields["redirect_uri"] ?? "") + "?code=c&state=\(fields["state"] ?? "")"
      Task {
        var configuration = ClientConfiguration(url: "")
        configuration.proxy = "-"
        _ = try await HTTPClient(configuration).send("GET", target)
      }
    }
    #expect(issuer.forms().first?["code"] == "c")
    await issuer.stop()
  }

  @Test("An issuer that calls itself otherwise, or names an endpoint without TLS, is none")
  func metadata() async throws {
    for (name, value) in [
      ("issuer", JSONValue.string("https://other.example")), ("issuer", .null),
      ("token_endpoint", "http://other.example/token"), ("token_endpoint", .null),
      ("token_endpoint", "https://user@other.example/"),
    ] {
      let issuer = try await ScriptedIssuer()
      issuer.say(name, value)
      let account = try issuer.account(state, clock, nil)
      await #expect { try await account.login { _ in } } throws: {
        ($0 as? AccountError)?.code == .configuration
      }
      await issuer.stop()
    }
  }

  @Test("Without a device endpoint in the discovery one has to be named")
  func deviceEndpoint() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.say("device_authorization_endpoint", .null)
    issuer.answer { form in
      form["grant_type"] == nil
        ? Self.json(
          200, #"{"device_code":"dc","user_code":"A","verification_uri":"https://x.example/d"}"#)
        : Self.json(200, #"{"access_token":"a","expires_in":60}"#)
    }
    let without = try issuer.account(state, clock, nil)
    await #expect { try await without.login(.device) { _ in } } throws: {
      ($0 as? AccountError)?.code == .configuration
    }
    let with = try issuer.account(state, clock, nil) {
      $0.deviceEndpoint = ($0.issuer ?? "") + "/device"
    }
    #expect(try await with.login(.device) { _ in }.issuer == issuer.url)
    await issuer.stop()
  }

  @Test("A backend that names a foreign issuer is not believed without the user")
  func foreignIssuer() async throws {
    let issuer = try await ScriptedIssuer()
    let other = try await ScriptedIssuer()
    let (own, foreign) = (issuer.url, other.url)
    let backend = HTTPListener { _ in
      HTTPResponse(200, json: ["authorization_servers": [.string(foreign)]])
    }
    let place = try backend.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    other.answer(200, #"{"access_token":"a","expires_in":60}"#)
    for (agreed, code) in [(nil, AccountError.Code.configuration), (own, .configuration)] {
      let account = try issuer.account(state, clock, nil) {
        $0.backend = "http://\(place)"
        $0.issuer = agreed
      }
      await #expect { try await account.login(.device) { _ in } } throws: {
        ($0 as? AccountError)?.code == code
      }
    }
    #expect(other.forms().isEmpty && other.forms("/device").isEmpty)
    let account = try issuer.account(state, clock, nil) {
      $0.backend = "http://\(place)"
      $0.issuer = foreign
    }
    let identity = try await paste(account) { "code=c&state=\($0["state"] ?? "")" }
    #expect(identity.issuer == foreign)
    _ = await backend.stop(within: .seconds(5))
    await issuer.stop()
    await other.stop()
  }

  @Test("Signing out ends it at the issuer, and here whatever that says")
  func logout() async throws {
    for (status, revokes, isFine) in [(200, true, true), (503, true, false), (200, false, true)] {
      let issuer = try await ScriptedIssuer()
      issuer.answer(status, "")
      let account = try issuer.account(state, clock, Samples.credential())
      let end = await account.end(revoke: revokes)
      #expect((end.problem == nil) == isFine && end.error == nil)
      #expect(
        issuer.forms("/revoke") == (revokes ? [["client_id": "luna", "token": "refresh-1"]] : []))
      #expect(try file().read() == nil)
      await #expect { try await account.token(.accessToken) } throws: {
        ($0 as? AccountError)?.code == .notLoggedIn
      }
      await issuer.stop()
    }
  }

  @Test("Another program's sign-in and sign-out are seen")
  func others() async throws {
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, nil)
    #expect(try await account.identity() == nil)
    try file().prepare()
    try file().write(Samples.credential(issuer: issuer.url))
    #expect(try await account.token(.accessToken).text == "access-1")
    try file().clear()
    #expect(try await account.identity() == nil)
    await issuer.stop()
  }
}
