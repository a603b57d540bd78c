import COpenSSL

/// Ed25519 signatures (RFC 8032).
public enum Ed25519 {
  /// The number of bytes of a private key and a public key.
  public static let keyCount = 32
  /// The number of bytes of a signature.
  public static let signatureCount = 64

  /// The public key that belongs to a private key of 32 bytes.
  ///
  /// - Throws: ``CryptoError`` when the key has another length.
  public static func publicKey(
    of privateKey: SecretBytes
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    try privateObject(privateKey).rawPublicKey("Ed25519")
  }

  /// Signs a message.
  ///
  /// - Throws: ``CryptoError`` when the key has not 32 bytes.
  public static func signature(
    of message: Span<UInt8>, privateKey: SecretBytes
  ) throws(CryptoError) -> InlineArray<64, UInt8> {
    let key = try privateObject(privateKey)
    let context = try unsafe Owned(EVP_MD_CTX_new(), "Ed25519", free: EVP_MD_CTX_free)
    guard unsafe EVP_DigestSignInit(context.pointer, nil, nil, nil, key.pointer) == 1 else {
      throw .fromOpenSSL(.failed, "Ed25519")
    }
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe message.withPointer {
        var count = buffer.count
        return unsafe EVP_DigestSign(context.pointer, buffer.baseAddress, &count, $0, message.count)
      }
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "Ed25519") }
    return bytes
  }

  /// Whether the holder of a key signed a message. What has the wrong length is not valid.
  public static func isValid(
    signature: Span<UInt8>, of message: Span<UInt8>, publicKey: Span<UInt8>
  ) -> Bool {
    guard signature.count == signatureCount, publicKey.count == keyCount,
      let key = try? VerificationKey(ed25519: publicKey)
    else {
      ERR_clear_error()
      return false
    }
    return (try? key.isSignature(signature, of: message)) ?? false
  }

  private static func privateObject(_ key: SecretBytes) throws(CryptoError) -> Owned {
    guard key.count == keyCount else {
      throw CryptoError(.length, "Ed25519 private key", detail: "32 bytes, not \(key.count)")
    }
    return try Owned.privateKey(EVP_PKEY_ED25519, key, "Ed25519")
  }
}
