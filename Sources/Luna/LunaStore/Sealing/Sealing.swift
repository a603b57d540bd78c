import LunaCore
import LunaCrypto

/// How the keys of a store are sealed: each device's under one random key, and that one under a
/// passphrase, which so can be changed without touching the devices.
struct Sealing: Equatable, Sendable {
  let salt: [UInt8]
  let work: Scrypt
  /// Nonce, ciphertext and tag of the random key.
  let sealedKey: [UInt8]

  init(salt: [UInt8], work: Scrypt, sealedKey: [UInt8]) {
    self.salt = salt
    self.work = work
    self.sealedKey = sealedKey
  }

  /// Seals a key under a passphrase.
  init(_ key: SecretBytes, under passphrase: SecretBytes, work: Scrypt) throws(CryptoError) {
    let salt: InlineArray<16, UInt8> = try SecureRandom.bytes()
    self.salt = salt.indices.map { salt[$0] }
    self.work = work
    let passphraseKey = try Sealing.key(passphrase, self.salt, work)
    var bytes = key.withBytes { key in key.indices.map { key[$0] } }
    defer { wipe(&bytes) }
    sealedKey = try SealedBox.seal(bytes, under: passphraseKey, associatedData: Sealing.label)
  }

  /// The key, or nil when the passphrase is not the one.
  func open(with passphrase: SecretBytes) throws(CryptoError) -> SecretBytes? {
    let passphraseKey = try Sealing.key(passphrase, salt, work)
    guard
      var bytes = try SealedBox.open(
        sealedKey, under: passphraseKey, associatedData: Sealing.label)
    else { return nil }
    defer { wipe(&bytes) }
    return SecretBytes(copying: bytes.span)
  }

  private static let label = Array("luna/store/1/key".utf8)

  private static func key(
    _ passphrase: SecretBytes, _ salt: [UInt8], _ work: Scrypt
  ) throws(CryptoError) -> SecretBytes {
    try passphrase.withBytes { passphrase throws(CryptoError) in
      try work.key(passphrase: passphrase, salt: salt.span, count: AES256GCM.keyCount)
    }
  }
}
