import COpenSSL

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
    let key = try privateObject(privateKey)
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = buffer.count
      return unsafe EVP_PKEY_get_raw_public_key(key.pointer, buffer.baseAddress, &count)
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "X25519 public key") }
    return bytes
  }

  /// The secret that both sides can compute.
  ///
  /// - Throws: ``CryptoError`` of kind `length` when a key has not 32 bytes, and of kind `invalidKey`
  ///   when the peer's key has low order, so that the secret would be all zero (section 6.1).
  public static func sharedSecret(
    privateKey: SecretBytes, peer: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    let own = try privateObject(privateKey)
    guard peer.count == keyCount else {
      throw CryptoError(.length, "X25519 peer key", detail: "32 bytes, not \(peer.count)")
    }
    let other = try unsafe Owned(
      peer.withPointer {
        unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, $0, keyCount)
      }, "X25519 peer key", free: EVP_PKEY_free)
    let context = try unsafe Owned(
      EVP_PKEY_CTX_new(own.pointer, nil), "X25519", free: EVP_PKEY_CTX_free)
    guard unsafe EVP_PKEY_derive_init(context.pointer) == 1,
      unsafe EVP_PKEY_derive_set_peer(context.pointer, other.pointer) == 1
    else { throw .fromOpenSSL(.failed, "X25519") }
    var secret = InlineArray<32, UInt8>(repeating: 0)
    defer { wipe(&secret) }
    var span = secret.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = buffer.count
      return unsafe EVP_PKEY_derive(context.pointer, buffer.baseAddress, &count)
    }
    guard result == 1 else { throw .fromOpenSSL(.invalidKey, "X25519") }
    let zero = InlineArray<32, UInt8>(repeating: 0)
    guard !constantTimeEqual(secret.span, zero.span) else {
      throw CryptoError(.invalidKey, "X25519", detail: "all-zero shared secret")
    }
    return SecretBytes(copying: secret.span)
  }

  private static func privateObject(_ key: SecretBytes) throws(CryptoError) -> Owned {
    guard key.count == keyCount else {
      throw CryptoError(.length, "X25519 private key", detail: "32 bytes, not \(key.count)")
    }
    return try unsafe Owned(
      key.withBytes {
        unsafe $0.withPointer {
          unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, $0, keyCount)
        }
      }, "X25519 private key", free: EVP_PKEY_free)
  }
}
