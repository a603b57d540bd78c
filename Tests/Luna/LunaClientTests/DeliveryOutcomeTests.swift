import CCurl
import SafeText
import Testing

@testable import LunaClient

/// What may work later, and what will not.
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
}
