public import LunaCrypto

/// Derives the ephemeral identifiers of trackers of Google's Find Hub network on secp160r1 ("Find Hub
/// Network Accessory Specification", Google, "EID computation"). Keeps its contexts; one per thread.
///
/// A pseudorandom number r' is AES-256-ECB under the identity key of two blocks, each a constant, the
/// exponent and the clock with its low bits cleared; the identifier is the x coordinate of
/// (r' mod n) * G.
public struct FindHubEIDDeriver: ~Copyable, Sendable {
  /// The number of bytes of an identity key.
  public static let keyCount = 32
  /// The number of bytes of an identifier.
  public static let byteCount = 20
  /// The rotation exponent: the identifier changes every 1,024 s.
  public static let exponent: UInt8 = 10

  private var aes: AES256Blocks
  private var curve: EllipticCurve

  /// A deriver.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer AES-256 or secp160r1.
  public init() throws(CryptoError) {
    let aes = try AES256Blocks()
    let curve = try EllipticCurve(.secp160r1)
    self.aes = aes
    self.curve = curve
  }

  /// The identifier of a rotation.
  ///
  /// - Parameters:
  ///   - identityKey: the ephemeral identity key, 32 bytes.
  ///   - rotation: the tracker's clock divided by 1,024 s, below 2^22.
  /// - Throws: ``CryptoError`` when the key has another length.
  public mutating func eid(
    _ identityKey: SecretBytes, rotation: UInt32
  ) throws(CryptoError) -> [UInt8] {
    try aes.setKey(identityKey)
    var input = InlineArray<32, UInt8>(repeating: 0)
    for index in 0..<11 { input[index] = 0xFF }
    var span = input.mutableSpan
    for half in [0, 16] {
      span[half + 11] = FindHubEIDDeriver.exponent
      span.setBigEndian(
        UInt64(rotation << UInt32(FindHubEIDDeriver.exponent)), at: half + 12, count: 4)
    }
    var output = InlineArray<32, UInt8>(repeating: 0)
    defer { wipe(&output) }
    var result = output.mutableSpan
    aes.encrypt(input.span, into: &result)
    let scalar = try curve.scalar(reducing: output.span)
    return try curve.publicPoint(of: scalar).x
  }
}
