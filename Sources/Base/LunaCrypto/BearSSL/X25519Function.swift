import CBearSSL

/// The function X25519 (RFC 7748, 5), of BearSSL. Who calls it has checked the lengths.
enum X25519Function {
  /// The public key that belongs to a private key of 32 bytes.
  static func publicKey(of privateKey: SecretBytes) throws(CryptoError) -> InlineArray<32, UInt8> {
    product(of: InlineArray { $0 == 0 ? 9 : 0 }, by: privateKey)
  }

  /// What a private key and a peer's key of 32 bytes give, which may be all zero.
  static func sharedSecret(
    privateKey: SecretBytes, peer: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    product(of: InlineArray { peer[$0] }, by: privateKey)
  }

  private static func product(
    of point: InlineArray<32, UInt8>, by scalar: SecretBytes
  ) -> InlineArray<32, UInt8> {
    var point = point
    var span = point.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { point in
      guard let base = point.baseAddress else { return }
      scalar.withBytes { scalar in
        unsafe scalar.withPointer { unsafe luna_x25519(base, $0) }
      }
    }
    return point
  }
}
