/// AES-256-GCM (NIST SP 800-38D) with 12-byte nonces and 16-byte tags, in a context that is kept.
public struct AES256GCM: ~Copyable, Sendable {
  /// The number of bytes of a key.
  public static let keyCount = 32
  /// The number of bytes that a sealed message is longer.
  public static let tagCount = 16

  private var context: AES256GCMContext

  /// A context under `key`.
  ///
  /// - Throws: ``CryptoError`` when the key has not 32 bytes, or libcrypto does not offer the cipher.
  public init(key: Span<UInt8>) throws(CryptoError) {
    guard key.count == AES256GCM.keyCount else {
      throw CryptoError(.length, "AES-256-GCM key", detail: "32 bytes, not \(key.count)")
    }
    context = try AES256GCMContext(key: key)
  }

  /// Goes on under another key.
  public mutating func setKey(_ key: InlineArray<32, UInt8>) { context.setKey(key) }

  /// Encrypts and authenticates.
  ///
  /// - Parameters:
  ///   - nonce: never to be used twice under one key.
  ///   - output: takes ciphertext and tag; 16 bytes longer than `plaintext`.
  public mutating func seal(
    _ plaintext: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) {
    precondition(output.count == plaintext.count + AES256GCM.tagCount, "AES-256-GCM output length")
    context.seal(plaintext, nonce: nonce, associatedData: associatedData, into: &output)
  }

  /// Decrypts what ``seal(_:nonce:associatedData:into:)`` made.
  ///
  /// - Parameter output: takes the plaintext, 16 bytes shorter than `sealed`; zeroed when the tag is
  ///   wrong.
  /// - Returns: whether the tag belongs to this key, nonce, data and associated data; false also
  ///   when `sealed` is shorter than a tag.
  public mutating func open(
    _ sealed: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) -> Bool {
    guard sealed.count >= AES256GCM.tagCount else { return false }
    precondition(output.count == sealed.count - AES256GCM.tagCount, "AES-256-GCM output length")
    return context.open(sealed, nonce: nonce, associatedData: associatedData, into: &output)
  }
}
