import COpenSSL

/// Keys of X25519 and Ed25519, which are 32 bytes each. Who makes one has checked the length.
extension Owned {
  private static let keyCount = 32

  /// The private key of 32 bytes.
  static func privateKey(
    _ type: Int32, _ key: SecretBytes, _ algorithm: String
  ) throws(CryptoError) -> Owned {
    try unsafe Owned(
      key.withBytes {
        unsafe $0.withPointer { unsafe EVP_PKEY_new_raw_private_key(type, nil, $0, keyCount) }
      }, "\(algorithm) private key", free: EVP_PKEY_free)
  }

  /// The public key of 32 bytes.
  static func publicKey(
    _ type: Int32, _ key: Span<UInt8>, _ algorithm: String
  ) throws(CryptoError) -> Owned {
    try unsafe Owned(
      key.withPointer { unsafe EVP_PKEY_new_raw_public_key(type, nil, $0, keyCount) },
      "\(algorithm) public key", free: EVP_PKEY_free)
  }

  /// The public half of a private key.
  func rawPublicKey(_ algorithm: String) throws(CryptoError) -> InlineArray<32, UInt8> {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = buffer.count
      return unsafe EVP_PKEY_get_raw_public_key(pointer, buffer.baseAddress, &count)
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "\(algorithm) public key") }
    return bytes
  }
}
