package import Bluetooth

/// A browser that is signed in.
package struct Session: Hashable, Sendable {
  /// How far signing in has come.
  package enum State: String, Sendable {
    /// All of it.
    case signedIn
    /// The password was right; the code of the second factor is still needed. Opens nothing.
    case codeNeeded
  }

  /// After so long without a request it ends.
  static let idle = Duration.seconds(12 * 3600)
  /// After so long it ends in any case.
  static let longest = Duration.seconds(7 * 86_400)
  /// How long the code may take after the password.
  static let codePatience = Duration.seconds(300)
  /// How many wrong codes are taken after the password.
  static let codeTries: Int64 = 5

  /// What lists call it: 16 digits of its digest.
  package let id: String
  /// Whose it is.
  package let account: String
  /// How far it is.
  package let state: State
  /// By what: `password`, `code`, `setup`, `invitation`, or an issuer.
  package let method: String
  /// When it began.
  package let createdAt: Timestamp
  /// When it was used last, within a minute.
  package let seenAt: Timestamp
  /// When it ends in any case.
  package let expiresAt: Timestamp
  /// From where it began, as far as it is kept.
  package let address: String?
  /// What the browser called itself.
  package let agent: String?

  /// Whether it is still good.
  func isLive(at time: Timestamp) -> Bool {
    time < expiresAt && time < seenAt.advanced(by: Session.idle)
  }

  /// Whether it is worth noting that it was used.
  func isNoteDue(at time: Timestamp) -> Bool {
    abs(time.microseconds - seenAt.microseconds) > 60_000_000
  }
}
