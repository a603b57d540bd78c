import Bluetooth
import Diagnosis
import LunaCrypto

/// One renewal of a credential that several processes share, from the wish to the end: at most one of
/// them asks the issuer (RFC 6749, 6), and nobody is signed out by mistake.
struct RefreshAttempt: Sendable {
  enum Event: Sendable {
    /// Nobody else renews it now.
    case locked
    /// Somebody else did for too long.
    case lockTimedOut
    /// What the file holds.
    case read(Credential?)
    /// What the token endpoint says.
    case answered(TokenVerdict)
    /// It says nothing; or something on this machine failed.
    case failed(AccountError)
    /// The file holds the new one.
    case written
    /// It was removed.
    case cleared
  }

  enum Action: Sendable {
    case lock
    case read
    case ask(Credential)
    case write(Credential)
    case clear
    case finish(Outcome)
  }

  enum Outcome: Sendable {
    /// This one holds; it is in the file.
    case holds(Credential)
    /// This one holds, and could not be written.
    case unwritten(Credential, AccountError)
    /// There is none any more.
    case signedOut(AccountError)
    /// The one from before stays, whatever it is worth.
    case failed(AccountError, hold: RefreshHold.Reason)
  }

  /// How often one that somebody else has put there is tried.
  private static let tries = 3

  private var credential: Credential
  private let refusal: AccountConfiguration.Refusal
  private var asked = 0
  private var refused: AccountError?
  private var askedAt = Timestamp(microseconds: 0)

  /// - Parameters:
  ///   - credential: the one that is known, and is not good enough.
  ///   - refusal: which answers end the sign-in.
  init(_ credential: Credential, refusal: AccountConfiguration.Refusal) {
    self.credential = credential
    self.refusal = refusal
  }

  /// What is done first.
  var first: Action { .lock }

  /// - Parameter now: the time of day.
  mutating func take(_ event: Event, now: Timestamp) -> Action {
    switch event {
    case .locked: return .read
    case .lockTimedOut: return .finish(.failed(.locked, hold: .none))
    case .read(nil): return .finish(.signedOut(refused ?? .notLoggedIn))
    case .read(let found?): return takeRead(found, now)
    case .answered(let verdict): return take(verdict)
    case .failed(let error):
      return .finish(.failed(error, hold: error.code == .undecodable ? .undecodable : .none))
    case .written: return .finish(.holds(credential))
    case .cleared: return .finish(.signedOut(refused ?? .notLoggedIn))
    }
  }

  /// What becomes of a write that failed: the issuer has given these tokens to nobody else.
  func unwritten(_ error: AccountError) -> Action { .finish(.unwritten(credential, error)) }

  private mutating func takeRead(_ found: Credential, _ now: Timestamp) -> Action {
    if refused != nil {
      // What was refused may be what somebody else has used up.
      guard found.refreshToken != credential.refreshToken, asked < RefreshAttempt.tries else {
        return .clear
      }
      credential = found
      return found.isGood(at: now) ? .finish(.holds(found)) : ask(now)
    }
    let isNew = found != credential
    credential = found
    if isNew, found.isGood(at: now) { return .finish(.holds(found)) }
    return ask(now)
  }

  private mutating func ask(_ now: Timestamp) -> Action {
    guard credential.refreshToken != nil else {
      return .finish(
        .failed(
          AccountError(
            .notLoggedIn, "the token has to be renewed, and the issuer gave nothing to do it with",
            remedy: "use \(.signIn) again"), hold: .none))
    }
    asked += 1
    askedAt = now
    return .ask(credential)
  }

  private mutating func take(_ verdict: TokenVerdict) -> Action {
    switch verdict {
    case .tokens(let grant):
      credential = credential.renewed(with: grant, at: askedAt)
      return .write(credential)
    case .undecodable:
      return refuse(
        AccountError(.undecodable, "the issuer's answer cannot be read"), hold: .undecodable)
    case .invalidGrant:
      refused = AccountError(
        .notLoggedIn, "the issuer has ended the sign-in", remedy: "use \(.signIn) again")
      return .read
    case .oauth("slow_down", _): return busy("that it is busy", retryAfter: nil)
    case .oauth(let code, let description):
      return refuse(
        AccountError(
          .configuration, "the issuer says \(TokenVerdict.text(code, description))",
          remedy: "check the client's settings at the issuer"), hold: .configuration)
    case .later(let status, let retryAfter, let error):
      // Auth0 refuses a grant that is over with status 403.
      let said = "with status \(status)" + (error.map { ": \($0)" } ?? "")
      return busy(said, retryAfter: retryAfter)
    }
  }

  private mutating func busy(_ said: String, retryAfter: Int?) -> Action {
    refuse(
      AccountError(.server, "the issuer answers \(said)", retryAfter: retryAfter),
      hold: .server(retryAfter))
  }

  /// What was said has nothing to do with the grant; with strict rules it ends it all the same.
  private mutating func refuse(_ error: AccountError, hold: RefreshHold.Reason) -> Action {
    guard refusal == .strict else { return .finish(.failed(error, hold: hold)) }
    refused = AccountError(
      .notLoggedIn, "\(error.diagnosis.problem): the sign-in is over",
      remedy: "use \(.signIn) again")
    return .read
  }
}
