import CCurl
import SafeText

/// What came of handing something over to a server that is to keep it.
package enum DeliveryOutcome: Sendable, Equatable {
  case delivered
  /// It may work later, after this pause if the server says so.
  case failed(String, retryAfter: Duration?)
  /// It will not.
  case refused(String)
  /// It will not: nobody is at that address (404), or not any more (410).
  case gone(String)

  /// What an answer over HTTP means.
  init(_ answer: HTTPExchange.Answer) {
    switch answer.outcome {
    // What a server says beside its status does not matter.
    case ccurl_answered, ccurl_answer_too_long: break
    case ccurl_bad_url, ccurl_not_trusted:
      self = .refused("\(answer.problem.limited(to: 200))")
      return
    // The library tells how many milliseconds it has waited: each time would be news.
    case ccurl_timed_out:
      self = .failed("it did not answer in time", retryAfter: nil)
      return
    default:
      self = .failed("\(answer.problem.limited(to: 200))", retryAfter: nil)
      return
    }
    switch answer.status {
    case 200..<300: self = .delivered
    case 300..<400:
      self = .refused("it redirects elsewhere, which is not followed (\(answer.status))")
    case 408, 425, 429, 500...:
      self = .failed(
        "it answered \(answer.status)", retryAfter: answer.retryAfter.map { .seconds($0) })
    case 404, 410: self = .gone("it answered \(answer.status)")
    default: self = .refused("it answered \(answer.status)")
    }
  }

  /// What an answer over SMTP means (RFC 5321, 4.2.1): 4yz may work later.
  init(mail answer: HTTPExchange.Answer) {
    let why = "\(answer.problem.limited(to: 200))"
    switch (answer.outcome, answer.status) {
    case (ccurl_answered, _): self = .delivered
    case (_, 400..<500): self = .failed("it answered \(answer.status): \(why)", retryAfter: nil)
    case (ccurl_not_encrypted, _):
      self = .refused("it offers no STARTTLS, and nothing is said in the clear: \(why)")
    case (_, 500..<600): self = .refused("it answered \(answer.status): \(why)")
    case (ccurl_not_let_in, _): self = .refused("it does not take user and password: \(why)")
    case (ccurl_not_trusted, _), (ccurl_bad_url, _): self = .refused(why)
    default: self = .failed(why, retryAfter: nil)
    }
  }
}
