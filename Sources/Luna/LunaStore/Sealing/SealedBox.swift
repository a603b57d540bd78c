import LunaCrypto

/// AES-256-GCM with a random nonce, which goes before ciphertext and tag.
enum SealedBox {
  private static let nonceCount = 12

  static func seal(
    _ plaintext: [UInt8], under key: SecretBytes, associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let nonce: InlineArray<12, UInt8> = try SecureRandom.bytes()
    var cipher = try key.withBytes { key throws(CryptoError) in try AES256GCM(key: key) }
    var sealed = [UInt8](repeating: 0, count: plaintext.count + AES256GCM.tagCount)
    var output = sealed.mutableSpan
    cipher.seal(
      plaintext.span, nonce: nonce, associatedData: associatedData.span, into: &output)
    return nonce.indices.map { nonce[$0] } + sealed
  }

  /// - Returns: nil when it was not sealed under this key with this data.
  static func open(
    _ box: [UInt8], under key: SecretBytes, associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8]? {
    guard box.count >= nonceCount + AES256GCM.tagCount else { return nil }
    let nonce = InlineArray<12, UInt8> { box[$0] }
    var cipher = try key.withBytes { key throws(CryptoError) in try AES256GCM(key: key) }
    var plaintext = [UInt8](
      repeating: 0, count: box.count - nonceCount - AES256GCM.tagCount)
    var output = plaintext.mutableSpan
    let isAuthentic = cipher.open(
      box.span.extracting(nonceCount...), nonce: nonce, associatedData: associatedData.span,
      into: &output)
    return isAuthentic ? plaintext : nil
  }
}
