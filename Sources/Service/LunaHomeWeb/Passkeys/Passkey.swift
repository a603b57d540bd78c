import Bluetooth

/// A passkey of an account (WebAuthn): a public key, of which an authenticator of its owner's keeps the private half.
struct Passkey: Hashable, Sendable {
  /// What authenticators call it.
  let id: [UInt8]
  /// Whom it signs in.
  let account: String
  /// The public key, as the authenticator gave it.
  let key: PasskeyKey
  /// How often it was used as the authenticator counts; 0 where that does not.
  let count: Int64
  /// What its owner calls it.
  let name: String
  let createdAt: Timestamp
}
