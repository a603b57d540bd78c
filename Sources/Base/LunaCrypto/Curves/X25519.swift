/// X25519 key agreement (RFC 7748).
public enum X25519 {
  /// The number of bytes of a private key, a public key and a shared secret.
  public static let keyCount = 32

  /// The public key that belongs to a private key of 32 bytes.
  ///
  /// - Throws: ``CryptoError`` when the key has another length.
  public static func publicKey(
    of privateKey: SecretBytes
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    try check(privateKey)
    return try X25519Function.publicKey(of: privateKey)
  }

  /// The secret that both sides can compute.
  ///
  /// - Throws: ``CryptoError`` of kind `length` when a key has not 32 bytes, and of kind `invalidKey`
  ///   when the peer's key has low order, so that the secret would be all zero (section 6.1).
  public static func sharedSecret(
    privateKey: SecretBytes, peer: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    try check(privateKey)
    guard peer.count == keyCount else {
      throw CryptoError(.length, "X25519 peer key", detail: "32 bytes, not \(peer.count)")
    }
    var secret = try X25519Function.sharedSecret(privateKey: privateKey, peer: peer)
    defer { wipe(&secret) }
    let zero = InlineArray<32, UInt8>(repeating: 0)
    guard !constantTimeEqual(secret.span, zero.span) else {
      throw CryptoError(.invalidKey, "X25519", detail: "all-zero shared secret")
    }
    return SecretBytes(copying: secret.span)
  }

  private static func check(_ key: SecretBytes) throws(CryptoError) {
    guard key.count == keyCount else {
      throw CryptoError(.length, "X25519 private key", detail: "32 bytes, not \(key.count)")
    }
  }
}
