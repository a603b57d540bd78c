import CCurl
import Diagnosis
import LunaCore
import LunaJSON
import LunaWire
import SafeText

extension BackendError {
  /// Why there is no answer.
  init(_ answer: HTTPExchange.Answer, from base: String) {
    let why = answer.problem.limited(to: 300)
    switch answer.outcome {
    case ccurl_not_resolved:
      self.init(
        .unreachable, "the backend \(base) cannot be found: \(why)",
        remedy: "check its name and this machine's network")
    case ccurl_not_connected:
      self.init(
        .unreachable, "cannot connect to the backend \(base): \(why)",
        remedy: "check that it runs, and the port")
    case ccurl_timed_out:
      self.init(.interrupted, "the backend \(base) did not answer in time: \(why)")
    case ccurl_broken_off:
      self.init(.interrupted, "the connection to the backend \(base) broke off: \(why)")
    case ccurl_not_trusted, ccurl_no_handshake:
      self.init(
        .untrusted, "the backend \(base) cannot be trusted: \(why)",
        remedy: answer.remedyOfDistrust)
    case ccurl_answer_too_long:
      self.init(.answer, "the answer of the backend \(base) is too long")
    case ccurl_bad_url:
      self.init(.address, "the backend's address \(base) cannot be used: \(why)")
    default: self.init(.interrupted, "the backend \(base) could not be asked: \(why)")
    }
  }

  /// What a status other than success means.
  ///
  /// - Parameter isSignedIn: whether the token was of an account that somebody is signed in to.
  init(refusal answer: HTTPExchange.Answer, from base: String, isSignedIn: Bool = false) {
    let status = answer.status
    var said = ""
    var given: ProblemDocument?
    if answer.mediaType.hasPrefix(ProblemDocument.mediaType),
      let json = try? JSONReader.read(answer.body),
      let problem = try? ProblemDocument(json: json)
    {
      // Who writes a client is told of a header; a person has given a token already, and is told what to do.
      if problem.code != "unauthorized" {
        said = ": \((problem.detail ?? problem.title).limited(to: 300))"
      }
      given = problem
    }
    func make(_ kind: Kind, _ what: String, remedy: Remedy? = nil) -> BackendError {
      BackendError(
        kind, "\(what) (\(status) from \(base))\(said)", status: status,
        retryAfter: answer.retryAfter, isExplained: given != nil, problem: given,
        remedy: remedy)
    }
    switch status {
    case 300..<400:
      self = make(
        .redirected, "the backend redirects elsewhere, which is not followed",
        remedy: "use the address that it is really at")
    case 401 where isSignedIn:
      self = make(
        .refused, "the backend does not accept the account's token",
        remedy: "sign in again with \(.signIn), or check that this backend knows who signs in there"
      )
    case 401:
      self = make(
        .refused, "the backend does not know the token",
        remedy:
          "it is mistyped or revoked; make one with \(.tokenCreation), or \(.enrolment)"
      )
    case 403 where given?.code == "enrolmentCode":
      self = make(
        .refused, "the backend does not accept the code",
        remedy: "make another one with: \(.enrolmentCode)")
    case 403:
      let remedy: Remedy? =
        switch given?.code {
        case "unknownSubject": "have who runs it use \(.linkIdentity)"
        // What would help is what it says.
        case "gatewayRemoved": nil
        default: "use a token of that kind"
        }
      self = make(.refused, "the backend does not allow this", remedy: remedy)
    case 404: self = make(.notFound, "the backend does not have this")
    case 409: self = make(.notFound, "the backend says that something is in the way")
    case 408, 429, 503: self = make(.busy, "the backend is busy")
    case 400..<500: self = make(.malformed, "the backend does not accept the request")
    default: self = make(.failed, "the backend failed")
    }
  }
}
