/// What an authenticator says of what it did (WebAuthn, 6.1).
struct AuthenticatorData {
  private static let present: UInt8 = 0x01
  private static let verified: UInt8 = 0x04
  private static let hasKey: UInt8 = 0x40
  /// Whom it was for, flags, and how often.
  private static let headCount = 37
  /// The model of the authenticator, which nobody here asks for.
  private static let modelCount = 16

  /// SHA-256 of the name of whom it was for.
  let party: [UInt8]
  private let flags: UInt8
  /// How often it has signed with this passkey; 0 where it does not count.
  let count: Int64
  /// What it calls the passkey that it made; nil when it made none.
  let id: [UInt8]?
  /// The key of that, and what comes after it.
  let key: [UInt8]

  /// Whether somebody was there, and it knew who: by a finger, a face, a number.
  var isPersonVerified: Bool {
    let both = AuthenticatorData.present | AuthenticatorData.verified
    return flags & both == both
  }

  /// Reads it; nil where it is cut.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= AuthenticatorData.headCount else { return nil }
    party = Array(bytes[..<32])
    flags = bytes[32]
    count = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
    guard flags & AuthenticatorData.hasKey != 0 else {
      (id, key) = (nil, [])
      return
    }
    let start = AuthenticatorData.headCount + AuthenticatorData.modelCount + 2
    guard bytes.count >= start else { return nil }
    let end = start + (Int(bytes[start - 2]) << 8 | Int(bytes[start - 1]))
    guard start < end, end <= bytes.count else { return nil }
    (id, key) = (Array(bytes[start..<end]), Array(bytes[end...]))
  }
}
