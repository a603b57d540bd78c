import LunaCrypto

/// A public key as authenticators give it: COSE (RFC 9053, 7, and RFC 8230, 4), of which CTAP2 allows one form
/// for each algorithm.
struct PasskeyKey: Hashable, Sendable {
  /// ES256: kty 2, alg -7, crv 1, then x; and y.
  private static let es256: (head: [UInt8], middle: [UInt8]) = (
    [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20], [0x22, 0x58, 0x20]
  )
  /// EdDSA: kty 1, alg -8, crv 6, then x.
  private static let edDSA: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]
  /// RS256, as many computers with a TPM make it: kty 3, alg -257, then the modulus; and the exponent 65537,
  /// as a TPM makes no other.
  private static let rs256: (head: [UInt8], tail: [UInt8]) = (
    [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59], [0x21, 0x43, 0x01, 0x00, 0x01]
  )
  private static let es256Count = 77
  private static let edDSACount = 42
  /// Where the modulus begins, after two bytes that say how long it is.
  private static let modulus = 11

  let bytes: [UInt8]

  /// The key that bytes begin with; nil for another algorithm.
  init?(prefixOf bytes: [UInt8]) {
    if bytes.starts(with: PasskeyKey.es256.head), bytes.count >= PasskeyKey.es256Count,
      bytes[42..<45].elementsEqual(PasskeyKey.es256.middle)
    {
      self.bytes = Array(bytes.prefix(PasskeyKey.es256Count))
    } else if bytes.starts(with: PasskeyKey.edDSA), bytes.count >= PasskeyKey.edDSACount {
      self.bytes = Array(bytes.prefix(PasskeyKey.edDSACount))
    } else if let count = PasskeyKey.rs256Count(bytes) {
      self.bytes = Array(bytes.prefix(count))
    } else {
      return nil
    }
  }

  /// How long the RSA key is that bytes begin with; nil when they begin with none.
  private static func rs256Count(_ bytes: [UInt8]) -> Int? {
    guard bytes.starts(with: rs256.head), bytes.count > modulus else { return nil }
    let end = modulus + Int(bytes[modulus - 2]) << 8 + Int(bytes[modulus - 1])
    guard end <= bytes.count, bytes[end...].starts(with: rs256.tail) else { return nil }
    return end + rs256.tail.count
  }

  /// What checks its signatures.
  ///
  /// - Throws: `CryptoError` of kind `invalidKey` for a point that is not on the curve, or a modulus that is
  ///   too short or too long.
  func verifier() throws(CryptoError) -> VerificationKey {
    if bytes.starts(with: PasskeyKey.rs256.head) {
      let (tail, exponent) = (PasskeyKey.rs256.tail, PasskeyKey.rs256.tail[2...])
      return try VerificationKey(
        modulus: Array(bytes[PasskeyKey.modulus..<bytes.count - tail.count]).span,
        exponent: Array(exponent).span)
    }
    let x = Array(bytes[10..<42])
    guard bytes.count == PasskeyKey.es256Count else {
      return try VerificationKey(ed25519: x.span)
    }
    let y = Array(bytes[45...])
    return try VerificationKey(x: x.span, y: y.span)
  }
}
