package import LunaCrypto

/// Seals messages for browsers (RFC 8291), as one record of `aes128gcm` (RFC 8188).
package enum WebPush {
  /// The most that a push service has to take (RFC 8030, 7.2).
  static let longestBody = 4096
  /// Salt, size of a record, and the sender's key with its length.
  private static let headCount = 16 + 4 + 1 + 65
  /// The most that a message can have: a delimiter and a tag come with it.
  package static let longest = longestBody - headCount - 1 - 16

  /// A message that only the browser can read.
  ///
  /// - Parameters:
  ///   - sender: never used twice.
  ///   - salt: 16 bytes, random.
  package static func seal(
    _ message: [UInt8], for browser: PushSubscription, sender: P256PrivateKey, salt: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    precondition(message.count <= longest && salt.count == 16, "a push message's length")
    let shared = try sender.agreement(with: browser.key)
    let pseudorandom = try shared.withBytes { (bytes) throws(CryptoError) in
      try HKDFSHA256.extract(salt: browser.auth.span, inputKey: bytes)
    }
    let info = Array("WebPush: info\0".utf8) + browser.key + sender.publicKey
    let input = try HKDFSHA256.expand(pseudorandom, info: info.span, count: 32)
    let secret = try input.withBytes { (bytes) throws(CryptoError) in
      try HKDFSHA256.extract(salt: salt.span, inputKey: bytes)
    }
    let key = try HKDFSHA256.expand(
      secret, info: Array("Content-Encoding: aes128gcm\0".utf8).span, count: 16)
    let nonce = try HKDFSHA256.expand(
      secret, info: Array("Content-Encoding: nonce\0".utf8).span, count: 12)
    // 2 ends the last record.
    let sealed = try AES128GCM.seal((message + [2]).span, key: key, nonce: nonce)
    let size = UInt32(longestBody)
    return salt + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + [65]
      + sender.publicKey + sealed
  }

  /// Whether bytes are a public key that messages can be sealed for.
  static func isKey(_ bytes: [UInt8]) -> Bool {
    guard let own = try? P256PrivateKey() else { return false }
    return (try? own.agreement(with: bytes)) != nil
  }
}
