import CCurl
public import Diagnosis
import SafeText

/// Why a server gave no answer that can be read.
public struct HTTPError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// No connection could be made.
    case unreachable
    /// The time limit passed, or the connection broke off.
    case interrupted
    /// Its certificate is not to be trusted, or TLS failed.
    case untrusted
    /// The answer is longer than is read.
    case tooLong
    /// The address or a header cannot be sent.
    case request
    /// The library is missing, or cannot be used.
    case library
  }

  /// The kind of failure.
  public let kind: Kind
  /// The status, where so much of the answer came.
  public let status: Int?
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(_ kind: Kind, _ reason: String, status: Int? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.status = status
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  init(_ answer: HTTPExchange.Answer, from place: String) {
    let why = answer.problem.limited(to: 300)
    let status = answer.status == 0 ? nil : answer.status
    switch answer.outcome {
    case ccurl_not_resolved:
      self.init(
        .unreachable, "\(place) cannot be found: \(why)",
        remedy: "check its name and this machine's network")
    case ccurl_not_connected:
      self.init(
        .unreachable, "cannot connect to \(place): \(why)",
        remedy: "check that it runs, and the port")
    case ccurl_timed_out:
      self.init(.interrupted, "\(place) did not answer in time: \(why)", status: status)
    case ccurl_not_trusted, ccurl_no_handshake:
      self.init(
        .untrusted, "\(place) cannot be trusted: \(why)",
        remedy: answer.remedyOfDistrust)
    case ccurl_answer_too_long:
      self.init(.tooLong, "the answer of \(place) is too long", status: status)
    case ccurl_bad_url: self.init(.request, "the address \(place) cannot be used: \(why)")
    default:
      self.init(.interrupted, "the connection to \(place) broke off: \(why)", status: status)
    }
  }
}
