public import LunaCrypto

/// Derives the public keys that accessories of Apple's Find My network show one after the other
/// ("Find My Network Accessory Specification", R1, "Cryptography"; Heinrich, Stute, Kornhuber,
/// Hollick, "Who Can Find My Devices?", PoPETs 2021, section 6.1). Keeps its contexts; one per thread.
///
/// SK_i = KDF(SK_(i-1), "update", 32); (u, v) = KDF(SK_i, "diversify", 72), each of 36 bytes, modulo
/// (n - 1), plus 1; d_i = u * d + v; the key on the air is the x coordinate of d_i * G on P-224. KDF
/// is that of ANSI X9.63 with SHA-256.
public struct FindMyKeyDeriver: ~Copyable, Sendable {
  /// The number of bytes of a public key.
  public static let byteCount = 28

  private var curve: EllipticCurve
  private var hash: SHA256

  /// A deriver for any number of accessories: what belongs to one is given with each call.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer SHA-256 or P-224.
  public init() throws(CryptoError) {
    let curve = try EllipticCurve(.p224)
    let hash = try SHA256()
    self.curve = curve
    self.hash = hash
  }

  /// The secret `count` steps after one.
  ///
  /// - Parameter secret: SK_i, 32 bytes.
  public mutating func advance(_ secret: SecretBytes, by count: UInt32) -> SecretBytes {
    guard count > 0, secret.count == 32 else { return secret }
    var bytes = secret.withBytes { secret in InlineArray<32, UInt8> { secret[$0] } }
    defer { wipe(&bytes) }
    for _ in 0..<count { bytes = block(bytes.span, 1, "update") }
    return SecretBytes(copying: bytes.span)
  }

  /// The public key of a secret.
  ///
  /// - Parameters:
  ///   - masterKey: d, 28 bytes.
  ///   - secret: SK_i, 32 bytes.
  /// - Throws: ``LunaCrypto/CryptoError`` when the master key has another length.
  public mutating func publicKey(
    masterKey: SecretBytes, secret: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    var stream = InlineArray<96, UInt8>(repeating: 0)
    defer { wipe(&stream) }
    for number in 0..<3 {
      var part = secret.withBytes { block($0, UInt8(number + 1), "diversify") }
      for index in 0..<32 { stream[32 * number + index] = part[index] }
      wipe(&part)
    }
    let u = try curve.scalar(reducingToNonzero: stream.span.extracting(0..<36))
    let v = try curve.scalar(reducingToNonzero: stream.span.extracting(36..<72))
    return try curve.publicPoint(of: try curve.multiplyAdd(u, masterKey, v)).x
  }

  /// The public key that a tag with a fixed key sends.
  ///
  /// - Parameter privateKey: d, 28 bytes.
  /// - Throws: ``LunaCrypto/CryptoError`` when the private key has another length, or is zero.
  public mutating func publicKey(of privateKey: SecretBytes) throws(CryptoError) -> [UInt8] {
    try curve.publicPoint(of: privateKey).x
  }

  /// A block of the KDF: SHA-256 of the secret, a counter of four bytes and the label.
  private mutating func block(
    _ secret: Span<UInt8>, _ number: UInt8, _ label: StaticString
  ) -> InlineArray<32, UInt8> {
    hash.update(secret)
    let counter: InlineArray<4, UInt8> = [0, 0, 0, number]
    hash.update(counter.span)
    label.withUTF8Buffer { text in unsafe hash.update(text.span) }
    return hash.finalize()
  }
}
