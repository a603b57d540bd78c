import COpenSSL

/// The function X25519 (RFC 7748, 5), of libcrypto. Who calls it has checked the lengths.
enum X25519Function {
  /// The public key that belongs to a private key of 32 bytes.
  static func publicKey(of privateKey: SecretBytes) throws(CryptoError) -> InlineArray<32, UInt8> {
    try Owned.privateKey(EVP_PKEY_X25519, privateKey, "X25519").rawPublicKey("X25519")
  }

  /// What a private key and a peer's key of 32 bytes give, which may be all zero.
  static func sharedSecret(
    privateKey: SecretBytes, peer: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    let own = try Owned.privateKey(EVP_PKEY_X25519, privateKey, "X25519")
    let other = try Owned.publicKey(EVP_PKEY_X25519, peer, "X25519")
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
}
