import COpenSSL

/// A private key of P-256 (SP 800-186, 3.2.1.3): signs (ES256) and agrees on secrets (ECDH).
package struct P256PrivateKey: Sendable {
  /// The number, 32 bytes.
  package let scalar: SecretBytes
  private let point: CurvePoint

  /// A new one.
  package init() throws(CryptoError) {
    // So many that the remainder is as good as evenly distributed (FIPS 186-5, A.2.1).
    let random = try SecureRandom.secret(count: 48)
    var curve = try EllipticCurve(.p256)
    let scalar = try random.withBytes { (bytes) throws(CryptoError) in
      try curve.scalar(reducingToNonzero: bytes)
    }
    try self.init(scalar: scalar)
  }

  /// The key of a number.
  ///
  /// - Throws: ``CryptoError`` when it is none of 32 bytes, or 0.
  package init(scalar: SecretBytes) throws(CryptoError) {
    var curve = try EllipticCurve(.p256)
    point = try curve.publicPoint(of: scalar)
    self.scalar = scalar
  }

  /// The public key, uncompressed: 65 bytes (SEC 1, 2.3.3).
  package var publicKey: [UInt8] { [4] + point.x + point.y }

  /// What whoever has the other private key has too: 32 bytes (SP 800-56A, 5.7.1.2).
  ///
  /// - Parameter other: an uncompressed public key.
  /// - Throws: ``CryptoError`` of kind `invalidKey` when that is none of the curve.
  package func agreement(with other: [UInt8]) throws(CryptoError) -> SecretBytes {
    guard other.count == 65, other[0] == 4 else { throw CryptoError(.invalidKey, "P-256 key") }
    var curve = try EllipticCurve(.p256)
    var shared = try curve.multiply(
      CurvePoint(x: Array(other[1...32]), y: Array(other[33...])), by: scalar
    ).x
    defer { wipe(&shared) }
    return SecretBytes(copying: shared.span)
  }

  /// The signature of a message: R and S, 32 bytes each (RFC 7518, 3.4).
  package func signature(of message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    // ECPrivateKey (RFC 5915, 3).
    let curve: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    var encoded = scalar.withBytes { number in
      DER.sequence(
        DER.integer([1]) + DER.bytes(number.indices.map { number[$0] }) + DER.tagged(0, curve)
          + DER.tagged(1, DER.bits(publicKey)))
    }
    defer { wipe(&encoded) }
    let object = unsafe encoded.span.withPointer { bytes in
      var position: UnsafePointer<UInt8>? = unsafe bytes
      return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &position, encoded.count)
    }
    guard let object = unsafe object else { throw .fromOpenSSL(.invalidKey, "P-256 key") }
    let key = try unsafe Owned(object, "P-256 key", free: EVP_PKEY_free)
    let context = try unsafe Owned(EVP_MD_CTX_new(), "ES256", free: EVP_MD_CTX_free)
    guard
      unsafe EVP_DigestSignInit_ex(
        context.pointer, nil, "SHA2-256", nil, nil, key.pointer, nil) == 1
    else { throw .fromOpenSSL(.unavailable, "ES256") }
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    let isSigned = unsafe signature.withUnsafeMutableBufferPointer { buffer in
      unsafe message.withPointer {
        unsafe EVP_DigestSign(context.pointer, buffer.baseAddress, &count, $0, message.count)
      }
    }
    guard isSigned == 1, let numbers = DER.twoIntegers(signature[..<count], of: 32) else {
      throw .fromOpenSSL(.failed, "ES256")
    }
    return numbers
  }
}
