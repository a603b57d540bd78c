import COpenSSL

/// The function X25519 (RFC 7748, 5), of libcrypto. Who calls it has checked the lengths.
enum X25519Function {
  /// The public key that belongs to a private key of 32 bytes.
  static func publicKey(of privateKey: SecretBytes) throws(CryptoError) -> InlineArray<32, UInt8> {
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

  /// What a private key and a peer's key of 32 bytes give, which may be all zero.
  static func sharedSecret(
    privateKey: SecretBytes, peer: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    let own = try privateObject(privateKey)
    let other = try unsafe Owned(
      peer.withPointer {
        unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, $0, X25519.keyCount)
      }, "X25519 peer key", free: EVP_PKEY_free)
    let context = try unsafe Owned(
      EVP_PKEY_CTX_new(own.pointer, nil), "X25519", free: EVP_PKEY_CTX_free)
    guard unsafe EVP_PKEY_derive_init(context.pointer) == 1,
      unsafe EVP_PKEY_derive_set_peer(context.pointer, other.pointer) == 1
    else { throw .fromOpenSSL(.failed, "X25519") }
    var secret = InlineArray<32, UInt8>(repeating: 0)
    var span = secret.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = buffer.count
      return unsafe EVP_PKEY_derive(context.pointer, buffer.baseAddress, &count)
    }
    // It refuses a result of zeros by itself.
    guard result == 1 else { throw .fromOpenSSL(.invalidKey, "X25519") }
    return secret
  }

  private static func privateObject(_ key: SecretBytes) throws(CryptoError) -> Owned {
    try unsafe Owned(
      key.withBytes {
        unsafe $0.withPointer {
          unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, $0, X25519.keyCount)
        }
      }, "X25519 private key", free: EVP_PKEY_free)
  }
}
