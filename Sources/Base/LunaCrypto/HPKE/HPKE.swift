/// Hybrid public key encryption (RFC 9180) of one message with an authenticated sender: mode_auth,
/// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
///
/// Only who has the private key of the recipient can open the message, and only who has that of the
/// sender, or of the recipient, could make it. It has no forward secrecy.
public enum HPKE {
  /// The number of bytes of a private key, a public key and an encapsulated key.
  public static let keyCount = X25519.keyCount
  /// The number of bytes that a sealed message is longer.
  public static let tagCount = AES256GCM.tagCount
  /// The most that a message may have, bytes.
  public static let maximumCount = 1 << 30

  /// Encrypts and authenticates one message (6.1, SealAuth).
  ///
  /// - Parameters:
  ///   - recipient: the recipient's public key.
  ///   - sender: the sender's private key.
  ///   - ephemeral: a private key of 32 random bytes, never used before and never again. Its public
  ///     key (``X25519/publicKey(of:)``) is the encapsulated key that the recipient needs.
  ///   - info: what both sides use this for.
  ///   - associatedData: what is authenticated besides.
  /// - Returns: ciphertext and tag.
  /// - Throws: ``CryptoError`` of kind `length` for keys and messages of other lengths, and
  ///   `invalidKey` for a recipient's key of low order.
  public static func seal(
    _ plaintext: Span<UInt8>, to recipient: Span<UInt8>, from sender: SecretBytes,
    ephemeral: SecretBytes, info: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard plaintext.count <= maximumCount else { throw tooLong }
    let shared = try HPKESecret(
      encapsulatingFor: recipient, sender: sender, ephemeral: ephemeral)
    let keys = try HPKEKeys(shared, info: info, aead: .aes256GCM)
    var output = [UInt8](repeating: 0, count: plaintext.count + tagCount)
    var cipher = try keys.cipher()
    var span = output.mutableSpan
    cipher.seal(plaintext, nonce: keys.nonce, associatedData: associatedData, into: &span)
    return output
  }

  /// Decrypts what ``seal(_:to:from:ephemeral:info:associatedData:)`` made (6.1, OpenAuth).
  ///
  /// - Parameters:
  ///   - sealed: ciphertext and tag.
  ///   - encapsulated: the encapsulated key.
  ///   - recipient: the recipient's private key.
  ///   - sender: the sender's public key.
  /// - Throws: ``CryptoError`` of kind `authentication` when the message is not of this sender, not
  ///   for this recipient or was changed, `invalidKey` when a key agreement gives all zeros
  ///   (RFC 9180, 7.1.4), and `length`.
  public static func open(
    _ sealed: Span<UInt8>, encapsulated: Span<UInt8>, to recipient: SecretBytes,
    from sender: Span<UInt8>, info: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    guard sealed.count >= tagCount else {
      throw CryptoError(.length, "HPKE open", detail: "no tag")
    }
    guard sealed.count <= maximumCount else { throw tooLong }
    let shared = try HPKESecret(
      decapsulating: encapsulated, recipient: recipient, sender: sender)
    let keys = try HPKEKeys(shared, info: info, aead: .aes256GCM)
    var output = [UInt8](repeating: 0, count: sealed.count - tagCount)
    defer { wipe(&output) }
    var cipher = try keys.cipher()
    var span = output.mutableSpan
    guard cipher.open(sealed, nonce: keys.nonce, associatedData: associatedData, into: &span) else {
      throw CryptoError(.authentication, "HPKE open")
    }
    return SecretBytes(copying: output.span)
  }

  private static var tooLong: CryptoError {
    CryptoError(.length, "HPKE", detail: "more than \(maximumCount) bytes")
  }
}
