public import LunaCrypto

/// Derives the ephemeral identifiers of trackers of Google's Find Hub network ("Find Hub Network
/// Accessory Specification", Google, v1.3, "EID computation"). Keeps its contexts; one per thread.
///
/// A pseudorandom number r' is AES-256-ECB under the identity key of two blocks, each a constant, the
/// exponent and the clock with its low bits cleared; the identifier is the x coordinate of
/// (r' mod n) * G. A tracker does that on one of two curves: 20 bytes of secp160r1 fit into a legacy
/// advertisement, 32 bytes of secp256r1 take an extended one.
public struct FindHubEIDDeriver: ~Copyable, Sendable {
  /// The number of bytes of an identity key.
  public static let keyCount = 32
  /// The rotation exponent: the identifier changes every 1,024 s.
  public static let exponent: UInt8 = 10

  /// The curve of a tracker; it decides how long identifiers are, and stays the same.
  public enum Curve: String, CaseIterable, Sendable {
    /// secp160r1: identifiers of 20 bytes.
    case secp160r1
    /// secp256r1, also called P-256: identifiers of 32 bytes.
    case secp256r1

    /// The number of bytes of an identifier.
    public var byteCount: Int { self == .secp160r1 ? 20 : 32 }
  }

  private var aes: AES256Blocks
  private var curve: EllipticCurve

  /// A deriver for one curve, for any number of keys and rotations.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer AES-256 or the curve.
  public init(_ curve: Curve = .secp160r1) throws(CryptoError) {
    let aes = try AES256Blocks()
    let curve = try EllipticCurve(curve == .secp160r1 ? .secp160r1 : .p256)
    self.aes = aes
    self.curve = curve
  }

  /// The identifier of a rotation.
  ///
  /// - Parameters:
  ///   - identityKey: the ephemeral identity key, 32 bytes.
  ///   - rotation: the tracker's clock divided by 1,024 s, below 2^22.
  /// - Throws: ``LunaCrypto/CryptoError`` when the key has another length.
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
