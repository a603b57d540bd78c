import Bluetooth
import Glibc
import HTTPServer
import LunaCrypto
import LunaJSON
import Synchronization
import Testing

@testable import LunaAccount

/// The table of FLEET.md, 3, each line against a server that answers so.
@Suite("What an answer of the issuer does to a sign-in", .timeLimit(.minutes(10)))
struct RefreshTableTests {
  private let state = TemporaryState()
  private let clock = HandClock()

  /// What came of a renewal of a credential that has ended.
  private struct Result {
    let error: AccountError?
    let token: String?
    let stored: Credential?
    let asked: Int
  }

  private func file() throws -> CredentialFile {
    try CredentialFile(state: state.directory, profile: "default")
  }

  private func renewal(
    _ issuer: ScriptedIssuer, of credential: Credential = Samples.credential(),
    adjust: (inout AccountConfiguration) -> Void = { _ in }
  ) async throws -> Result {
    clock.now = 2_000_000
    let account = try issuer.account(state, clock, credential, adjust: adjust)
    var (error, token): (AccountError?, String?)
    do throws(AccountError) {
      token = try await account.token(.accessToken).text
    } catch let failure {
      error = failure
    }
    return Result(
      error: error, token: token, stored: try file().read(), asked: issuer.forms().count)
  }

  @Test("200 with an access token: stored; what is not in it stays")
  func tokens() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, #"{"access_token":"new","expires_in":60}"#)
    let result = try await renewal(issuer, of: Samples.credential(idToken: "a.b.c"))
    #expect(result.token == "new")
    #expect(result.stored?.accessToken.text == "new")
    #expect(result.stored?.refreshToken?.text == "refresh-1")
    #expect(result.stored?.idToken?.text == "a.b.c")
    #expect(result.stored?.generation == 2)
    #expect(
      issuer.forms() == [
        ["grant_type": "refresh_token", "client_id": "luna", "refresh_token": "refresh-1"]
      ])
    await issuer.stop()
  }

  @Test("200 with new tokens of all three kinds: all are stored")
  func rotation() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(
      200, #"{"access_token":"new","expires_in":60,"refresh_token":"r2","id_token":"d.e.f"}"#)
    let result = try await renewal(issuer, of: Samples.credential(idToken: "a.b.c"))
    #expect(result.stored?.refreshToken?.text == "r2")
    #expect(result.stored?.idToken?.text == "d.e.f")
    await issuer.stop()
  }

  @Test(
    "200, undecodable: nothing changes, and 5 s of peace",
    arguments: [
      "", "<html>Log in</html>", "{}", #"{"error":"invalid_grant"}"#, #"{"access_token":7}"#,
    ])
  func undecodable(_ body: String) async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, body)
    let result = try await renewal(issuer)
    #expect(result.error?.code == .undecodable)
    #expect(result.stored?.generation == 1)
    let account = try issuer.account(state, clock, nil)
    for (pause, asked) in [(0, 2), (4, 2), (1, 3)] {
      clock.pass(.seconds(pause))
      await #expect(throws: AccountError.self) { try await account.token(.accessToken) }
      #expect(issuer.forms().count == asked)
    }
    // By force at once.
    await #expect(throws: AccountError.self) { try await account.refresh(force: true) }
    #expect(issuer.forms().count == 4)
    await issuer.stop()
  }

  @Test(
    "400 and 401 with invalid_grant, or empty: signed out",
    arguments: [
      (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant"}"#), (400, ""),
      (401, ""),
    ])
  func invalidGrant(_ status: Int, _ body: String) async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(status, body)
    let result = try await renewal(issuer)
    #expect(result.error?.code == .notLoggedIn)
    #expect(result.stored == nil)
    #expect(state.files == ["default.lock"])
    await issuer.stop()
  }

  @Test("The same, and the file has another refresh token by then: that is used")
  func invalidGrantButReplaced() async throws {
    let issuer = try await ScriptedIssuer()
    let (file, url) = (try file(), issuer.url)
    issuer.answer { _ in
      // Somebody who knows of no lock.
      try? file.write(
        Samples.credential(
          issuer: url, issuedAt: 2_000_000, refreshToken: "refresh-2", generation: 2))
      return HTTPResponse(400, "application/json", Array(#"{"error":"invalid_grant"}"#.utf8))
    }
    let result = try await renewal(issuer)
    #expect(result.token == "access-2")
    #expect(result.asked == 1)
    await issuer.stop()
  }

  @Test(
    "Another error of OAuth: kept, and an hour of peace, or until something changes",
    arguments: [
      (400, "invalid_client"), (401, "invalid_client"), (400, "unauthorized_client"),
      (400, "invalid_scope"),
    ])
  func configuration(_ status: Int, _ code: String) async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(status, #"{"error":"\#(code)"}"#)
    #expect(try await renewal(issuer).error?.code == .configuration)
    let account = try issuer.account(state, clock, nil)
    func ask() async -> Int {
      await #expect { try await account.token(.accessToken) } throws: {
        ($0 as? AccountError)?.code == .configuration
      }
      return issuer.forms().count
    }
    #expect(await ask() == 2)
    clock.pass(.seconds(3599))
    #expect(await ask() == 2)
    clock.pass(.seconds(1))
    #expect(await ask() == 3)
    try file().write(Samples.credential(issuer: issuer.url, generation: 9))
    #expect(await ask() == 4)
    await issuer.stop()
  }

  @Test(
    "Anything else that is answered: kept",
    arguments: [
      (400, "<html>"), (401, "{}"), (301, ""), (302, ""), (307, ""), (403, ""),
      (403, #"{"error":"invalid_grant"}"#), (404, ""), (407, ""), (408, ""), (429, ""), (500, ""),
      (502, "<html>"), (503, ""), (400, #"{"error":"temporarily_unavailable"}"#),
      (400, #"{"error":"slow_down"}"#),
    ])
  func later(_ status: Int, _ body: String) async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(status, body, headers: [("Location", "http://127.0.0.1:1/")])
    let result = try await renewal(issuer)
    #expect(result.error?.code == .server)
    #expect(result.stored?.refreshToken?.text == "refresh-1")
    await issuer.stop()
  }

  @Test("A token endpoint that is not there any more is looked for where the issuer says")
  func moved() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer { form in
      guard form["path"] == "/moved" else { return HTTPResponse(404, nil, []) }
      return HTTPResponse(
        200, "application/json", Array(#"{"access_token":"new","expires_in":60}"#.utf8))
    }
    clock.now = 2_000_000
    let account = try issuer.account(state, clock, Samples.credential())
    await #expect { try await account.token(.accessToken) } throws: {
      ($0 as? AccountError)?.code == .server
    }
    issuer.say("token_endpoint", .string(issuer.url + "/moved"))
    clock.pass(.seconds(5))
    #expect(try await account.token(.accessToken).text == "new")
    await issuer.stop()
  }

  @Test("Auth0's 403 is kept, too, and its error is named")
  func forbidden() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(403, #"{"error":"invalid_grant","error_description":"Unknown token."}"#)
    let result = try await renewal(issuer)
    #expect(result.error?.code == .server && result.stored != nil)
    let error = try #require(result.error)
    #expect("\(error)".contains("403: invalid_grant: Unknown token."))
    await issuer.stop()
  }

  @Test("Retry-After is honoured")
  func retryAfter() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(503, "", headers: [("Retry-After", "30")])
    let result = try await renewal(issuer)
    #expect(result.error?.retryAfter == 30)
    let account = try issuer.account(state, clock, nil)
    for (pause, asked) in [(0, 2), (29, 2), (1, 3)] {
      clock.pass(.seconds(pause))
      await #expect(throws: AccountError.self) { try await account.token(.accessToken) }
      #expect(issuer.forms().count == asked)
    }
    await issuer.stop()
  }

  @Test("Tokens that cannot be written are used, until somebody else signs in or out")
  func unwritten() async throws {
    let issuer = try await ScriptedIssuer()
    let (file, url) = (try file(), issuer.url)
    let draft = file.path + ".new"
    issuer.answer { _ in
      // There was room for it a moment ago.
      unlink(draft)
      mkdir(draft, 0o700)
      return HTTPResponse(
        200, "application/json", Array(#"{"access_token":"new","expires_in":3600}"#.utf8))
    }
    clock.now = 2_000_000
    let account = try issuer.account(state, clock, Samples.credential())
    for _ in 0..<2 { #expect(try await account.token(.accessToken).text == "new") }
    #expect(try file.read()?.accessToken.text == "access-1")
    rmdir(draft)
    try file.write(
      Samples.credential(
        issuer: url, issuedAt: 2_000_000, refreshToken: "refresh-9", generation: 9))
    #expect(try await account.token(.accessToken).text == "access-9")
    try file.clear()
    #expect(try await account.identity() == nil)
    #expect(issuer.forms().count == 1)
    await issuer.stop()
  }

  @Test("Nobody answers: kept")
  func network() async throws {
    let issuer = try await ScriptedIssuer()
    await issuer.stop()
    let result = try await renewal(issuer)
    #expect(result.error?.code == .network)
    #expect(result.stored?.generation == 1)
  }

  @Test("With strict rules every answer but 200 signs out; silence does not")
  func strict() async throws {
    for (status, body) in [(500, ""), (404, ""), (400, #"{"error":"invalid_client"}"#)] {
      let issuer = try await ScriptedIssuer()
      issuer.answer(status, body)
      let result = try await renewal(issuer) { $0.refusal = .strict }
      #expect(result.error?.code == .notLoggedIn)
      #expect(result.stored == nil)
      await issuer.stop()
      #expect(try await renewal(issuer) { $0.refusal = .strict }.stored != nil)
    }
  }

  @Test("Not due: nobody is asked. Due and refused by a busy server: what is good is used")
  func stillGood() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(503, "")
    let account = try issuer.account(state, clock, Samples.credential())
    clock.now = 1_000_000 + 3539
    #expect(try await account.token(.accessToken).text == "access-1")
    #expect(issuer.forms().isEmpty)
    clock.now = 1_000_000 + 3541
    #expect(try await account.token(.accessToken).text == "access-1")
    #expect(issuer.forms().count == 1)
    await #expect(throws: AccountError.self) { try await account.refresh(force: true) }
    await issuer.stop()
  }

  @Test(
    "The clock an hour back, and a year ahead: renewed, never signed out",
    arguments: [
      -3600, 31_536_000,
    ])
  func clocks(_ shift: Int64) async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, #"{"access_token":"new","expires_in":3600}"#)
    let account = try issuer.account(state, clock, Samples.credential(issuedAt: clock.now))
    clock.now += shift
    #expect(try await account.token(.accessToken).text == "new")
    #expect(issuer.forms().count == 1)
    clock.now -= shift
    #expect(try await account.token(.accessToken).text == "new")
    issuer.answer(503, "")
    clock.now += 2 * shift
    _ = try? await account.token(.accessToken)
    #expect(try file().read() != nil)
    await issuer.stop()
  }

  @Test("Many ask at once: one renewal")
  func once() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, #"{"access_token":"new","expires_in":3600}"#)
    // Others wait for the lock.
    let clock = HandClock(waits: true)
    clock.now = 2_000_000
    let accounts = try (0..<5).map { index in
      try issuer.account(state, clock, index == 0 ? Samples.credential() : nil)
    }
    await withTaskGroup(of: String?.self) { group in
      for index in 0..<50 {
        group.addTask { try? await accounts[index % 5].token(.accessToken).text }
      }
      for await token in group { #expect(token == "new") }
    }
    #expect(issuer.forms().count == 1)
    await issuer.stop()
  }

  @Test("Without an ID token: one renewal if it was asked for, then jwtNotFound")
  func noIDToken() async throws {
    for (scope, asked) in [("openid read", 1), ("read", 0)] {
      let issuer = try await ScriptedIssuer()
      issuer.answer(200, #"{"access_token":"new","expires_in":3600}"#)
      let account = try issuer.account(state, clock, Samples.credential(scope: scope))
      for _ in 0..<3 {
        await #expect { try await account.token(.jwt) } throws: {
          ($0 as? AccountError)?.code == .jwtNotFound
        }
      }
      #expect(issuer.forms().count == asked)
      await issuer.stop()
    }
  }

  @Test("An issuer that cannot renew just now is left alone for the sake of an ID token, too")
  func noIDTokenNow() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(503, "", headers: [("Retry-After", "30")])
    let account = try issuer.account(state, clock, Samples.credential())
    for (pause, asked) in [(0, 1), (0, 1), (29, 1), (1, 2)] {
      clock.pass(.seconds(pause))
      await #expect { try await account.token(.jwt) } throws: {
        ($0 as? AccountError)?.code == .server
      }
      #expect(issuer.forms().count == asked)
    }
    await issuer.stop()
  }

  @Test("One that has ended is not sent; the next one is")
  func idTokenEnds() async throws {
    let issuer = try await ScriptedIssuer()
    let old = Samples.idToken(#"{"iss":"x","exp":1000100}"#)
    let new = Samples.idToken(#"{"iss":"x","exp":1009999}"#)
    issuer.answer(200, #"{"access_token":"new","expires_in":3600,"id_token":"\#(new)"}"#)
    let account = try issuer.account(state, clock, Samples.credential(idToken: old))
    #expect(try await account.token(.jwt).text == old)
    clock.now = 1_000_100
    #expect(try await account.token(.jwt).text == new)
    clock.now = 1_009_999
    let error = await #expect(throws: AccountError.self) { try await account.token(.jwt) }
    #expect(error?.code == .jwtNotFound)
    #expect(error?.hint?.contains("accessToken") == true)
    await issuer.stop()
  }

  @Test("One that seems over when it is given is sent: a clock is wrong")
  func idTokenOfAnotherClock() async throws {
    let issuer = try await ScriptedIssuer()
    let (old, new) = (Samples.idToken(#"{"exp":1}"#), Samples.idToken(#"{"exp":2}"#))
    issuer.answer(200, #"{"access_token":"new","expires_in":3600,"id_token":"\#(new)"}"#)
    let account = try issuer.account(state, clock, Samples.credential(idToken: old))
    for _ in 0..<3 { #expect(try await account.token(.jwt).text == new) }
    #expect(issuer.forms().count == 1)
    await issuer.stop()
  }

  @Test("The handler is told at first and at every change, one at a time")
  func handler() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(400, "")
    clock.now = 2_000_000
    let (told, continuation) = AsyncStream.makeStream(of: Bool.self)
    let busy = Mutex(false)
    let account = try issuer.account(
      state, clock, Samples.credential(),
      loginHandler: { isIn in
        #expect(
          busy.withLock { was in
            defer { was = true }
            return !was
          })
        await Task.yield()
        busy.withLock { $0 = false }
        continuation.yield(isIn)
      })
    var news = told.makeAsyncIterator()
    try await account.load()
    #expect(await news.next() == true)
    await #expect(throws: AccountError.self) { try await account.token(.accessToken) }
    #expect(await news.next() == false)
    // Always, whoever was signed in.
    await account.logout()
    #expect(await news.next() == false)
    // Once, where somebody was.
    for _ in 0..<2 {
      try self.file().write(Samples.credential(issuer: issuer.url, issuedAt: 2_000_000))
      try await account.load()
      #expect(await news.next() == true)
      await account.logout(revoke: false)
      #expect(await news.next() == false)
    }
    await issuer.stop()
  }

  @Test("A command is told, too, and ends before the next change is told")
  func command() async throws {
    let issuer = try await ScriptedIssuer()
    // It ends when its folder goes, too.
    let (folder, said, go) = (state.path, state.path + "/said", state.path + "/go")
    let (told, continuation) = AsyncStream.makeStream(of: (isIn: Bool, hasEnded: Bool).self)
    let account = try issuer.account(
      state, clock, Samples.credential(),
      adjust: {
        $0.onChange =
          "while [ -e '\(folder)' ] && [ ! -e '\(go)' ]; do sleep 0.01; done; echo $LUNA_SIGNED_IN >> '\(said)'"
      },
      loginHandler: { isIn in continuation.yield((isIn, access(said, F_OK) == 0)) })
    var news = told.makeAsyncIterator()
    try await account.load()
    let first = try #require(await news.next())
    #expect(first.isIn && !first.hasEnded)
    await account.logout(revoke: false)
    close(open(go, O_CREAT | O_WRONLY, 0o600))
    let second = try #require(await news.next())
    #expect(!second.isIn && second.hasEnded)
    await issuer.stop()
  }
}
