import Bluetooth
import LunaCore
import LunaCrypto

/// What a sign-in leaves: the tokens, whose they are, and how long they hold.
struct Credential: Hashable, Sendable {
  static let schema: Int64 = 1

  var issuer: String
  var clientID: String
  var subject: String?
  var accessToken: SecretBytes
  var refreshToken: SecretBytes?
  var idToken: SecretBytes?
  var scope: String?
  var issuedAt: Timestamp
  /// Seconds from `issuedAt`; nil where the issuer did not tell.
  var expiresIn: Int64?
  /// Goes up by one each time the tokens change.
  var generation: Int64

  /// When the access token ends.
  var expiresAt: Timestamp? {
    expiresIn.map { Timestamp(microseconds: issuedAt.microseconds + $0 * 1_000_000) }
  }

  /// Who is signed in.
  var identity: Identity {
    Identity(
      issuer: issuer, clientID: clientID, subject: subject, scope: scope, expiresAt: expiresAt)
  }

  /// Whether the access token holds. One that was issued in the future was not: a clock was set.
  func isGood(at now: Timestamp) -> Bool {
    guard issuedAt <= now else { return false }
    return expiresAt.map { now < $0 } ?? true
  }

  /// Whether it is time for the next one: a minute before the end, or a tenth of the time if that is
  /// less.
  func isDue(at now: Timestamp) -> Bool {
    guard issuedAt <= now else { return true }
    guard let expiresIn else { return false }
    let margin = min(60_000_000, expiresIn * 100_000)
    return now.microseconds - issuedAt.microseconds >= expiresIn * 1_000_000 - margin
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(issuer)
    hasher.combine(generation)
  }
}
