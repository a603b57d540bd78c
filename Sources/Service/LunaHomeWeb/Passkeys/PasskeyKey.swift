import LunaCrypto

/// A public key as authenticators give it: COSE (RFC 9053, 7), of which CTAP2 allows one form for each algorithm.
struct PasskeyKey: Hashable, Sendable {
  /// ES256: kty 2, alg -7, crv 1, then x; and y.
  private static let es256: (head: [UInt8], middle: [UInt8]) = (
    [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20], [0x22, 0x58, 0x20]
  )
  /// EdDSA: kty 1, alg -8, crv 6, then x.
  private static let edDSA: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]
  private static let es256Count = 77
  private static let edDSACount = 42

  let bytes: [UInt8]

  /// The key that bytes begin with; nil for another algorithm.
  init?(prefixOf bytes: [UInt8]) {
    if bytes.starts(with: PasskeyKey.es256.head), bytes.count >= PasskeyKey.es256Count,
      bytes[42..<45].elementsEqual(PasskeyKey.es256.middle)
    {
      self.bytes = Array(bytes.prefix(PasskeyKey.es256Count))
    } else if bytes.starts(with: PasskeyKey.edDSA), bytes.count >= PasskeyKey.edDSACount {
      self.bytes = Array(bytes.prefix(PasskeyKey.edDSACount))
    } else {
      return nil
    }
  }

  /// What checks its signatures.
  ///
  /// - Throws: `CryptoError` of kind `invalidKey` for a point that is not on the curve.
  func verifier() throws(CryptoError) -> VerificationKey {
    let x = Array(bytes[10..<42])
    guard bytes.count == PasskeyKey.es256Count else {
      return try VerificationKey(ed25519: x.span)
    }
    let y = Array(bytes[45...])
    return try VerificationKey(x: x.span, y: y.span)
  }
}
