/// Keeps a program from asking an issuer again and again that has just said no.
struct RefreshHold: Sendable {
  enum Reason: Hashable, Sendable {
    /// It may be asked at once.
    case none
    /// Its answer could not be read.
    case undecodable
    /// The client's settings are wrong.
    case configuration
    /// It is busy or fails, and may have said for how long, s.
    case server(Int?)
  }

  private var until = Duration.zero
  private var error: AccountError?
  private var generation: Int64 = 0

  /// Notes what came of an attempt; without a reason nothing is held.
  ///
  /// - Parameter now: time that has passed since some moment.
  mutating func note(
    _ error: AccountError, _ reason: Reason, of credential: Credential, now: Duration
  ) {
    let pause: Duration? =
      switch reason {
      case .none: nil
      case .undecodable: .seconds(5)
      case .configuration: .seconds(3600)
      case .server(let seconds): .seconds(min(max(seconds ?? 5, 1), 3600))
      }
    self.error = pause == nil ? nil : error
    until = now + (pause ?? .zero)
    generation = credential.generation
  }

  /// Forgets it: something has changed.
  mutating func release() { error = nil }

  /// Why the issuer is not asked yet; nil when it may be.
  func error(for credential: Credential, now: Duration) -> AccountError? {
    credential.generation == generation && now < until ? error : nil
  }
}
