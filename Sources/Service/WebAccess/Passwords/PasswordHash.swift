import Bluetooth
import Diagnosis
package import LunaCrypto

/// What is kept of a password: scrypt (RFC 7914) with a salt of its own, as
/// `scrypt$N$r$p$SALT$KEY`, so that the work can grow some day.
package struct PasswordHash: Hashable, Sendable {
  private static let keyCount = 32

  let work: Scrypt
  let salt: [UInt8]
  let key: [UInt8]

  /// Made for a new password. Takes about a tenth of a second and 32 MiB.
  package init(_ password: String, work: Scrypt = .interactive) throws(CryptoError) {
    let random: InlineArray<16, UInt8> = try SecureRandom.bytes()
    salt = random.indices.map { random[$0] }
    self.work = work
    key = try PasswordHash.key(password, work, salt)
  }

  /// Reads what was kept.
  package init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "scrypt", let cost = UInt64(parts[1]),
      let blockSize = UInt64(parts[2]), let parallelization = UInt64(parts[3]),
      let salt = Hex.bytes(parts[4]), let key = Hex.bytes(parts[5]), !salt.isEmpty,
      key.count == PasswordHash.keyCount
    else { return nil }
    work = Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization)
    self.salt = salt
    self.key = key
  }

  /// As it is kept.
  package var text: String {
    "scrypt$\(work.cost)$\(work.blockSize)$\(work.parallelization)$\(Hex.lower(salt))$"
      + Hex.lower(key)
  }

  /// Whether it is this password. Takes as long as making it.
  package func matches(_ password: String) throws(CryptoError) -> Bool {
    let given = try PasswordHash.key(password, work, salt)
    return constantTimeEqual(given.span, key.span)
  }

  /// Costs as much as a look at a real password, where there is none.
  package static func pretend(_ password: String) throws(CryptoError) {
    _ = try key(password, .interactive, [UInt8](repeating: 0x5A, count: 16))
  }

  private static func key(
    _ password: String, _ work: Scrypt, _ salt: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let phrase = Array(password.utf8)
    return try work.key(passphrase: phrase.span, salt: salt.span, count: keyCount).withBytes {
      bytes in bytes.indices.map { bytes[$0] }
    }
  }
}
