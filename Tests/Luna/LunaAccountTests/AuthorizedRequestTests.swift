import HTTPServer
import LunaClient
import LunaTesting
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
    /// Host and port.
    let place: String
    private let listener: HTTPListener

    init(
      at host: String = "127.0.0.1", tls: TLSFiles? = nil,
      _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws {
      let hook = Mutex<(@Sendable (HTTPRequest) -> Void)?>(nil)
      listener = HTTPListener { request in
        hook.withLock { $0 }?(request)
        return answer(request)
      }
      let place = try listener.start(on: ListenAddress(host: host, port: 0), tls: tls)
      self.place = "\(place)"
      url = "\(tls == nil ? "http" : "https")://\(place)"
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

    /// A target at each address of this machine to which one may be led; the last one where there is IPv6.
    static func everywhere() throws -> [Target] {
      let hosts = ["127.0.0.1", "127.0.0.9"] + (SilentListener.hasIPv6 ? ["::1"] : [])
      return try hosts.map { try Target(at: $0) { _ in HTTPResponse(200, nil, []) } }
    }

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

  /// Hosts that are this machine, and their addresses; the last one where there is IPv6.
  private static let ownHosts: [(String, String)] =
    [
      ("localhost", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("[::ffff:127.0.0.1]", "127.0.0.1"),
      ("[0:0:0:0:0:ffff:7f00:1]", "127.0.0.1"),
    ] + (SilentListener.hasIPv6 ? [("[::1]", "::1")] : [])

  /// The others leave it out where it is missing.
  @Test(
    "No host of IPv6 is left out",
    .enabled(if: SilentListener.hasIPv6, "no host of IPv6 is tried: this machine has none"))
  func hostsOfIPv6() async throws {
    #expect(Self.ownHosts.contains { $0.1 == "::1" })
    let targets = try Target.everywhere()
    #expect(targets.contains { $0.place.hasPrefix("[::1]:") })
    for target in targets { await target.stop() }
  }

  @Test("Another host: not a packet", arguments: ownHosts)
  func foreignHost(_ host: String, _ address: String) async throws {
    // Somebody listens there, and nobody comes: not even a connection is made.
    let listener = try #require(SilentListener(address))
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential()) {
      $0.duplicateHeader = true
    }
    for policy in [RedirectPolicy.drop, .sameOrigin, .allowList([host])] {
      let request = AuthorizedRequest(
        url: "http://\(host):\(listener.port)/", mode: .accessToken, redirects: policy,
        account: account)
      #expect(await failure(request) == .foreignHost)
    }
    #expect(!listener.wasReached)
    let port = String(issuer.url.split(separator: ":")[2])
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
    let targets = try Target.everywhere()
    let target = targets[0]
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential()) {
      $0.duplicateHeader = true
    }
    let policies = [RedirectPolicy.drop, .sameOrigin, .allowList(["other.example"])]
    func send(to location: String, _ policy: RedirectPolicy) async -> AccountError.Code? {
      issuer.answer { _ in Self.redirect(status, location) }
      var request = AuthorizedRequest(
        url: issuer.url + "/x", mode: .accessToken, redirects: policy, account: account)
      request.headers = [HTTPField("Cookie", "a=b")]
      return await failure(request)
    }
    for target in targets {
      for policy in policies {
        #expect(await send(to: target.url + "/landing", policy) == nil)
      }
      #expect(target.count == policies.count)
      // Whoever writes a name in front may mean another host than who reads it: nobody goes there.
      for name in ["user", "user:secret", String(issuer.url.dropFirst("http://".count))] {
        #expect(await send(to: "http://\(name)@\(target.place)/landing", .sameOrigin) == .redirect)
      }
      #expect(target.count == policies.count)
    }
    // Other names of the first one, as far as they lead there.
    let port = String(target.url.split(separator: ":")[2])
    for host in ["localhost", "[::ffff:127.0.0.1]"] {
      for policy in policies { _ = await send(to: "http://\(host):\(port)/landing", policy) }
    }
    for target in targets { #expect(!target.sawSecret) }
    for target in targets.dropFirst() { await target.stop() }
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

  @Test("From https to http: nobody there is asked", arguments: [301, 302, 303, 307, 308])
  func downgrade(_ status: Int) async throws {
    let authority = try TestAuthority()
    let files = try authority.certify("IP:127.0.0.1")
    let target = try Target { _ in HTTPResponse(200, nil, []) }
    let location = target.url + "/landing"
    let secure = try Target(
      tls: TLSFiles(certificateFile: files.certificate, keyFile: files.key)
    ) { _ in Self.redirect(status, location) }
    let issuer = try await ScriptedIssuer()
    let account = try issuer.account(state, clock, Samples.credential()) {
      $0.duplicateHeader = true
      $0.client.certificateAuthorities = authority.certificate
    }
    for policy in [RedirectPolicy.drop, .sameOrigin, .allowList([target.place])] {
      let request = AuthorizedRequest(
        url: secure.url + "/x", mode: .accessToken, redirects: policy, account: account)
      #expect(await failure(request) == .redirect)
    }
    // The host is the issuer's: it was shown the token.
    #expect(secure.count == 3 && secure.sawSecret)
    #expect(target.count == 0)
    // Its files are gone with it.
    withExtendedLifetime(authority) {}
    await issuer.stop()
    await secure.stop()
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
