import LunaCrypto
import Testing

@testable import LunaAccount

@Suite("The device grant (RFC 8628, 3.4 and 3.5)")
struct DeviceGrantTests {
  private var grant = DeviceGrant(
    interval: .seconds(5), expiresIn: .seconds(600), now: .seconds(100))

  private func pause(_ action: DeviceGrant.Action) -> Duration? {
    if case .wait(let pause) = action { pause } else { nil }
  }

  private func failure(_ action: DeviceGrant.Action) -> AccountError.Code? {
    if case .fail(let error) = action { error.code } else { nil }
  }

  private func said(_ code: String) -> DeviceGrant.Event {
    .answered(.oauth(code: code, description: nil))
  }

  @Test("It waits before it asks, and goes on at the same pace")
  mutating func pending() {
    #expect(pause(grant.first) == .seconds(5))
    guard case .ask = grant.take(.waited, now: .seconds(105)) else { return fail("no ask") }
    #expect(pause(grant.take(said("authorization_pending"), now: .seconds(105))) == .seconds(5))
  }

  @Test("slow_down adds 5 s for good, a time-out doubles")
  mutating func slower() {
    #expect(pause(grant.take(said("slow_down"), now: .seconds(105))) == .seconds(10))
    #expect(pause(grant.take(said("slow_down"), now: .seconds(115))) == .seconds(15))
    #expect(pause(grant.take(said("authorization_pending"), now: .seconds(130))) == .seconds(15))
    let failed = DeviceGrant.Event.failed(AccountError(.network, "time-out"))
    #expect(pause(grant.take(failed, now: .seconds(145))) == .seconds(30))
    #expect(pause(grant.take(failed, now: .seconds(175))) == .seconds(60))
  }

  @Test("What ends it")
  mutating func ends() {
    for (event, code) in [
      (said("access_denied"), AccountError.Code.denied), (said("authorization_declined"), .denied),
      (said("expired_token"), .expired),
      (said("invalid_client"), .configuration), (.answered(.undecodable), .undecodable),
      (.answered(.invalidGrant), .expired),
      (.answered(.later(status: 302, retryAfter: nil)), .server),
      (.failed(AccountError(.configuration, "x")), .configuration),
    ] {
      #expect(failure(grant.take(event, now: .seconds(105))) == code)
    }
    let tokens = TokenGrant(accessToken: SecretBytes("a"))
    guard case .finish = grant.take(.answered(.tokens(tokens)), now: .seconds(105)) else {
      return fail("no end")
    }
  }

  @Test("A server that is busy is asked again, when it says")
  mutating func busy() {
    let later = DeviceGrant.Event.answered(.later(status: 503, retryAfter: 40))
    #expect(pause(grant.take(later, now: .seconds(105))) == .seconds(40))
    let never = DeviceGrant.Event.answered(.later(status: 503, retryAfter: 4000))
    #expect(failure(grant.take(never, now: .seconds(105))) == .expired)
  }

  @Test("The code ends")
  mutating func expires() {
    #expect(pause(grant.take(said("authorization_pending"), now: .seconds(694))) == .seconds(5))
    #expect(failure(grant.take(said("authorization_pending"), now: .seconds(695))) == .expired)
    #expect(failure(grant.take(.waited, now: .seconds(700))) == .expired)
  }

  @Test(
    "What a server may say of time, and what it says instead",
    arguments: [
      (#""expires_in":600,"interval":7"#, 600, 7), (#""expires_in":600"#, 600, 5),
      (#""expires_in":1e300,"interval":0"#, 600, 1), (#""interval":-1"#, 600, 5),
      (#""expires_in":999999999,"interval":999999999"#, 86_400, 600),
      (#""expires_in":"1800","interval":"5""#, 1800, 5),
    ])
  func times(_ members: String, _ expires: Int, _ interval: Int) {
    var body = Array(
      #"{"device_code":"d","user_code":"AB-CD","verification_uri":"https://x.example/d",\#(members)}"#
        .utf8)
    let authorization = DeviceAuthorization(&body)
    #expect(authorization?.expiresIn == .seconds(expires))
    #expect(authorization?.interval == .seconds(interval))
    #expect(body.allSatisfy { $0 == 0 })
  }

  @Test(
    "What is no code",
    arguments: [
      "", "{}", #"{"device_code":"d","user_code":"A"}"#,
      #"{"device_code":"d","user_code":"A","verification_uri":"javascript:alert(1)"}"#,
      #"{"device_code":"d","user_code":"","verification_uri":"https://x.example/"}"#,
      #"{"user_code":"A","verification_uri":"https://x.example/"}"#,
    ])
  func none(_ body: String) {
    var body = Array(body.utf8)
    #expect(DeviceAuthorization(&body) == nil)
  }
}
