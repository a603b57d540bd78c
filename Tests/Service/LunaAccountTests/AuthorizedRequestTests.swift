import HTTPServer
import LunaClient
import Synchronization
import Testing

@testable import LunaAccount

@Suite("Requests that show who is signed in", .timeLimit(.minutes(10)))
struct AuthorizedRequestTests {
  private let state = TemporaryState()
  private let clock = HandClock()

  /// A server that keeps the heads of what it was asked.
  private final class Target: Sendable {
    let heads = Mutex<[HTTPHead]>([])
    let bodies = Mutex<[String]>([])
    let url: String
    private let listener: HTTPListener

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) throws {
      let hook = Mutex<(@Sendable (HTTPRequest) -> Void)?>(nil)
      listener = HTTPListener { request in
        hook.withLock { $0 }?(request)
        return answer(request)
      }
      url = "http://\(try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0)))"
      hook.withLock {
        $0 = { [weak self] request in
          self?.heads.withLock { $0.append(request.head) }
          self?.bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        }
      }
    }

    /// Whether anything that came had a secret in it.
    var sawSecret: Bool {
      heads.withLock { heads in
        heads.contains { head in
          head.first("authorization") != nil || head.first("x-authorization") != nil
            || head.first("cookie") != nil || head.target.contains("access-1")
        }
      }
    }

    var count: Int { heads.withLock { $0.count } }

    func stop() async { _ = await listener.stop(within: .seconds(5)) }
  }

  private static func redirect(_ status: Int, _ location: String) -> HTTPResponse {
    var response = HTTPResponse(status, nil, [])
    response.headers.append((name: "Location", value: location))
    return response
  }

  private func failure(_ request: AuthorizedRequest) async -> AccountError.Code? {
    do throws(AccountError) {
      _ = try await request.send()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("The token goes to the issuer, the backend and the hosts that are named")
  func hosts() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer(200, "{}")
    let account = try issuer.account(state, clock, Samples.credential()) {
      $0.duplicateHeader = true
    }
    var request = AuthorizedRequest(
      url: issuer.url + "/x?y", mode: .accessToken, account: account)
    request.headers = [HTTPField("authorization", "Bearer mine"), HTTPField("X-One", "1")]
    #expect(try await request.send().status == 200)
    let head = try #require(issuer.heads.first)
    #expect(head.headers.filter { $0.isNamed("authorization") }.map(\.text) == ["Bearer access-1"])
    #expect(head.first("x-authorization") == "Bearer access-1")
    #expect(head.first("x-one") == "1")
    await issuer.stop()
  }

  @Test(
    "Another host: not a packet",
    arguments: [
      "http://localhost:PORT/", "http://127.0.0.2:PORT/", "http://[::1]:PORT/",
      "http://[::ffff:127.0.0.1]:PORT/",
    ])
  func foreignHost(_ text: String) async throws {
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential())
    let port = String(issuer.url.split(separator: ":")[2])
    let url = text.replacing("PORT", with: port)
    #expect(
      await failure(AuthorizedRequest(url: url, mode: .accessToken, account: account))
        == .foreignHost)
    for url in ["http://user@127.0.0.1:\(port)/", "http://127.1:\(port)/", "gopher://127.0.0.1/"] {
      #expect(
        await failure(AuthorizedRequest(url: url, mode: .accessToken, account: account))
          == .configuration)
    }
    #expect(
      await failure(AuthorizedRequest(url: issuer.url, mode: .accessToken, account: nil))
        == .platformNotEnabled)
    #expect(issuer.heads.isEmpty)
    await issuer.stop()
  }

  @Test("Redirects: no listener elsewhere sees a token", arguments: [301, 302, 303, 307, 308])
  func redirects(_ status: Int) async throws {
    let target = try Target { _ in HTTPResponse(200, nil, []) }
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential())
    let port = String(target.url.split(separator: ":")[2])
    for place in ["127.0.0.1:\(port)", "localhost:\(port)", "127.0.0.9:\(port)"] {
      issuer.answer { _ in Self.redirect(status, "http://\(place)/landing") }
      for policy in [RedirectPolicy.drop, .sameOrigin, .allowList(["other.example"])] {
        var request = AuthorizedRequest(
          url: issuer.url + "/x", mode: .accessToken, redirects: policy, account: account)
        request.headers = [HTTPField("Cookie", "a=b")]
        _ = try? await request.send()
      }
    }
    #expect(target.count >= 3)
    #expect(!target.sawSecret)
    // With a body only where the token may go.
    let before = target.count
    var request = AuthorizedRequest(url: issuer.url + "/x", mode: .accessToken, account: account)
    request.method = "POST"
    request.body = Array("private".utf8)
    issuer.answer { _ in Self.redirect(status, target.url + "/landing") }
    let code = await failure(request)
    #expect(code == (status >= 307 ? .redirect : nil))
    #expect(target.count == (status >= 307 ? before : before + 1))
    #expect(target.bodies.withLock { $0 }.allSatisfy { $0.isEmpty })
    await issuer.stop()
    await target.stop()
  }

  @Test("Hosts that are named for redirects get it; six hops are too many")
  func allowed() async throws {
    let target = try Target { _ in HTTPResponse(200, nil, []) }
    let issuer = try await ScriptedIssuer()
    issuer.answer { _ in Self.redirect(302, target.url + "/landing") }
    let account = try issuer.account(state, clock, Samples.credential())
    let place = String(target.url.dropFirst("http://".count))
    let request = AuthorizedRequest(
      url: issuer.url + "/x", mode: .accessToken, redirects: .allowList([place]), account: account)
    #expect(try await request.send().status == 200)
    #expect(target.sawSecret)
    issuer.answer { _ in Self.redirect(302, "/again") }
    let before = issuer.heads.count
    #expect(
      await failure(AuthorizedRequest(url: issuer.url + "/x", mode: .accessToken, account: account))
        == .redirect)
    #expect(issuer.heads.count == before + 6)
    await issuer.stop()
    await target.stop()
  }

  @Test("A token that is refused is renewed once, and what may be repeated is")
  func refused() async throws {
    for (method, tries) in [("GET", 2), ("PUT", 2), ("POST", 1)] {
      let issuer = try await ScriptedIssuer()
      let count = Mutex(0)
      issuer.answer { form in
        if form["grant_type"] != nil {
          return HTTPResponse(200, nil, Array(#"{"access_token":"new","expires_in":60}"#.utf8))
        }
        let number = count.withLock { number in
          number += 1
          return number
        }
        return HTTPResponse(number == 1 ? 401 : 200, nil, [])
      }
      let account = try issuer.account(state, clock, Samples.credential())
      var request = AuthorizedRequest(url: issuer.url + "/x", mode: .accessToken, account: account)
      request.method = method
      #expect(try await request.send().status == (tries == 2 ? 200 : 401))
      #expect(issuer.heads.count == tries)
      #expect(issuer.forms().count == 1)
      #expect(try await account.token(.accessToken).text == "new")
      await issuer.stop()
    }
  }

  @Test("A session shows a token that holds for each request")
  func session() async throws {
    let issuer = try await ScriptedIssuer()
    issuer.answer { form in
      form["grant_type"] == nil
        ? HTTPResponse(200, nil, [])
        : HTTPResponse(200, nil, Array(#"{"access_token":"new","expires_in":60}"#.utf8))
    }
    let account = try issuer.account(state, clock, Samples.credential())
    let session = AuthorizedSession(mode: .accessToken, account: account)
    _ = try await session.data(for: issuer.url + "/a")
    clock.now = 2_000_000
    _ = try await session.data(for: issuer.url + "/b")
    #expect(issuer.heads.map { $0.first("authorization") } == ["Bearer access-1", "Bearer new"])
    await issuer.stop()
  }
}
