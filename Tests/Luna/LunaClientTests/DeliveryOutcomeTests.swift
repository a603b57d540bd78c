import CCurl
import Glibc
import LunaTesting
import SafeText
import Testing

@testable import LunaClient

/// What may work later, and what will not.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryOutcomeTests {
  private func answer(_ outcome: ccurl_outcome, _ status: Int) -> HTTPExchange.Answer {
    HTTPExchange.Answer(
      outcome: outcome, status: status, retryAfter: nil, date: nil, mediaType: "",
      location: "", headers: [], body: [], problem: ForeignText("why"))
  }

  /// As at a proxy whose server is just being started.
  @Test func aHandshakeThatBreaksOffMayWorkLater() {
    let later = DeliveryOutcome.failed("why", retryAfter: nil)
    #expect(DeliveryOutcome(answer(ccurl_no_handshake, 0)) == later)
    #expect(DeliveryOutcome(mail: answer(ccurl_no_handshake, 220)) == later)
    #expect(DeliveryOutcome(answer(ccurl_not_trusted, 0)) == .refused("why"))
    #expect(DeliveryOutcome(mail: answer(ccurl_not_trusted, 220)) == .refused("why"))
  }

  /// RFC 3207, 4.
  @Test func aServerThatCannotEncryptJustNowMayDoSoLater() {
    #expect(
      DeliveryOutcome(mail: answer(ccurl_not_encrypted, 454))
        == .failed("it answered 454: why", retryAfter: nil))
    #expect(
      DeliveryOutcome(mail: answer(ccurl_not_encrypted, 250))
        == .refused("it offers no STARTTLS, and nothing is said in the clear: why"))
  }

  /// A server that says nothing does not keep a program from ending.
  @Test func whatIsCancelledIsBrokenOff() async throws {
    let (descriptor, port) = try #require(loopbackSocket(backlog: 8))
    defer { close(descriptor) }
    var configuration = ClientConfiguration(url: "")
    configuration.connectTimeout = .seconds(3600)
    configuration.totalTimeout = .seconds(3600)
    configuration.proxy = "-"
    let (http, mail) = (try HTTPClient(configuration), try MailClient(configuration))
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let posting = Task {
      await http.deliver(
        "POST", "http://127.0.0.1:\(port)/", headers: [], secrets: [], body: [],
        watch: ExchangeWatch(willSend: { beginning.finish() }))
    }
    let mailing = Task {
      await mail.deliver(
        Mail(
          url: "smtp://127.0.0.1:\(port)", isEncrypted: false, from: "me@example.org",
          to: "you@example.org", user: nil, message: []),
        password: nil, watch: ExchangeWatch(willSend: {}))
    }
    for await _ in begun {}
    for task in [posting, mailing] {
      task.cancel()
      guard case .failed = await task.value else {
        Issue.record("it is not to be tried again")
        continue
      }
    }
  }
}
