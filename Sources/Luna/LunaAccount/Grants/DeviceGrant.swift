import Diagnosis
import SafeText

/// Asks for the tokens that a person grants on another device, until there is an answer (RFC 8628, 3.4
/// and 3.5).
struct DeviceGrant: Sendable {
  enum Event: Sendable {
    /// The wait is over.
    case waited
    /// The token endpoint has answered.
    case answered(TokenVerdict)
    /// It has not.
    case failed(AccountError)
  }

  enum Action: Sendable {
    case wait(Duration)
    case ask
    case finish(TokenGrant)
    case fail(AccountError)
  }

  /// No pause gets longer than this.
  private static let longest = Duration.seconds(600)

  private(set) var interval: Duration
  private let end: Duration

  /// - Parameter now: time that has passed since some moment.
  init(interval: Duration, expiresIn: Duration, now: Duration) {
    self.interval = interval
    end = now + expiresIn
  }

  /// What is done first.
  var first: Action { .wait(interval) }

  mutating func take(_ event: Event, now: Duration) -> Action {
    switch event {
    case .waited: return now < end ? .ask : .fail(DeviceGrant.expired)
    case .answered(.tokens(let grant)): return .finish(grant)
    case .answered(.undecodable):
      return .fail(AccountError(.undecodable, "the issuer's answer cannot be read"))
    // One that says nothing more has forgotten the code.
    case .answered(.invalidGrant): return .fail(DeviceGrant.expired)
    case .answered(.oauth(let code, let description)): return take(code, description, now)
    case .answered(.later(let status, let retryAfter, _)):
      guard (400..<600).contains(status) else {
        return .fail(AccountError(.server, "the issuer answers with status \(status)"))
      }
      return pause(atLeast: retryAfter, now)
    case .failed(let error):
      // No server is asked again for the sake of a library that is missing.
      guard error.code == .network, !error.isLibrary else { return .fail(error) }
      interval = min(interval * 2, DeviceGrant.longest)
      return pause(atLeast: nil, now)
    }
  }

  private mutating func take(
    _ code: String, _ description: ForeignText?, _ now: Duration
  ) -> Action {
    switch code {
    case "authorization_pending": return pause(atLeast: nil, now)
    case "slow_down":
      interval = min(interval + .seconds(5), DeviceGrant.longest)
      return pause(atLeast: nil, now)
    case "access_denied", "authorization_declined":
      return .fail(AccountError(.denied, "the sign-in was refused on the other device"))
    case "expired_token": return .fail(DeviceGrant.expired)
    default:
      return .fail(
        AccountError(
          .configuration, "the issuer says \(TokenVerdict.text(code, description))",
          remedy: "check the client's settings at the issuer"))
    }
  }

  /// The next question, or the end if the code does not hold so long.
  private func pause(atLeast retryAfter: Int?, _ now: Duration) -> Action {
    let pause = max(interval, .seconds(min(max(0, retryAfter ?? 0), 3600)))
    return now + pause < end ? .wait(pause) : .fail(DeviceGrant.expired)
  }

  private static let expired = AccountError(
    .expired, "nobody entered the code in time", remedy: "use \(.signIn) again")
}
