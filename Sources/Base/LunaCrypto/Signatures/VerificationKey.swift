import COpenSSL

/// A public key with which signatures are checked. Its kind decides the algorithm; what a message says
/// of that can only be compared.
public struct VerificationKey: Sendable {
  /// Bytes of the modulus of an RSA key: 2048 to 8192 bits. Larger ones cost more than a stranger may
  /// have us spend.
  public static let modulusCounts = 256...1024

  @safe private final class Handle: @unchecked Sendable {
    let key: Owned

    init(_ key: consuming Owned) { self.key = key }
  }

  /// With which algorithm it is used.
  public let algorithm: SignatureAlgorithm
  private let handle: Handle

  /// An RSA key (RFC 8017, 3.1).
  ///
  /// - Parameters:
  ///   - modulus: of ``modulusCounts`` bytes, big-endian, the first of them not 0.
  ///   - exponent: odd, of at most 4 bytes, at least 3.
  /// - Throws: ``CryptoError`` of kind `invalidKey` for other numbers.
  public init(modulus: Span<UInt8>, exponent: Span<UInt8>) throws(CryptoError) {
    let value = exponent.indices.reduce(UInt64(0)) { $0 &<< 8 | UInt64(exponent[$1]) }
    guard VerificationKey.modulusCounts.contains(modulus.count), modulus[0] != 0,
      modulus[modulus.count - 1] & 1 == 1, (1...4).contains(exponent.count), value >= 3,
      value & 1 == 1
    else { throw CryptoError(.invalidKey, "RSA key") }
    let numbers =
      DER.integer(modulus.indices.map { modulus[$0] })
      + DER.integer(exponent.indices.map { exponent[$0] })
    handle = try VerificationKey.handle(
      "RSA key", VerificationKey.rsaEncryption, DER.sequence(numbers))
    algorithm = .rs256
  }

  /// A point on P-256 (SEC 1, 2.3.3).
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` when the point is not on the curve.
  public init(x: Span<UInt8>, y: Span<UInt8>) throws(CryptoError) {
    guard x.count == 32, y.count == 32 else { throw CryptoError(.invalidKey, "P-256 key") }
    let point = [4] + x.indices.map { x[$0] } + y.indices.map { y[$0] }
    handle = try VerificationKey.handle("P-256 key", VerificationKey.p256, point)
    algorithm = .es256
  }

  /// An Ed25519 key of 32 bytes (RFC 8032, 5.1.5).
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` for another length.
  public init(ed25519 key: Span<UInt8>) throws(CryptoError) {
    guard key.count == 32 else { throw CryptoError(.invalidKey, "Ed25519 key") }
    handle = Handle(try Owned.publicKey(EVP_PKEY_ED25519, key, "Ed25519"))
    algorithm = .edDSA
  }

  /// Whether this key's owner signed a message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto cannot tell; a wrong signature is no error.
  public func isSignature(
    _ signature: Span<UInt8>, of message: Span<UInt8>
  ) throws(CryptoError) -> Bool {
    try isSignature(signature, of: message, isDER: false)
  }

  /// The same, of authenticators also for a signature of ES256 in DER (RFC 3279, 2.2.3).
  package func isSignature(
    _ signature: Span<UInt8>, of message: Span<UInt8>, isDER: Bool
  ) throws(CryptoError) -> Bool {
    var bytes = signature.indices.map { signature[$0] }
    if algorithm == .es256, !isDER {
      guard bytes.count == 64 else { return false }
      bytes = VerificationKey.sequence(bytes)
    }
    let context = try unsafe Owned(EVP_MD_CTX_new(), "signature", free: EVP_MD_CTX_free)
    let digest = algorithm == .edDSA ? nil : "SHA2-256"
    guard
      unsafe EVP_DigestVerifyInit_ex(
        context.pointer, nil, digest, nil, nil, handle.key.pointer, nil) == 1
    else { throw .fromOpenSSL(.unavailable, algorithm.rawValue) }
    let result = unsafe bytes.span.withPointer { signature in
      unsafe message.withPointer {
        unsafe EVP_DigestVerify(context.pointer, signature, bytes.count, $0, message.count)
      }
    }
    // Malformed signatures leave errors behind too: they are wrong ones.
    ERR_clear_error()
    return result == 1
  }

  /// rsaEncryption with NULL (RFC 3279, 2.3.1).
  private static let rsaEncryption: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]
  /// id-ecPublicKey with secp256r1 (RFC 5480, 2.1.1).
  private static let p256: [UInt8] = [
    0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
    0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
  ]

  /// A key in a SubjectPublicKeyInfo (RFC 5280, 4.1), which OpenSSL reads and checks.
  private static func handle(
    _ what: String, _ algorithm: [UInt8], _ key: [UInt8]
  ) throws(CryptoError) -> Handle {
    let info = DER.sequence(DER.sequence(algorithm) + DER.bits(key))
    let object = unsafe info.span.withPointer { bytes in
      var position: UnsafePointer<UInt8>? = unsafe bytes
      return unsafe d2i_PUBKEY(nil, &position, info.count)
    }
    guard let object = unsafe object else { throw .fromOpenSSL(.invalidKey, what) }
    return Handle(try unsafe Owned(object, what, free: EVP_PKEY_free))
  }

  /// R and S as OpenSSL takes them: a SEQUENCE of two INTEGERs (RFC 3279, 2.2.3).
  private static func sequence(_ signature: [UInt8]) -> [UInt8] {
    DER.sequence(DER.integer(signature[..<32]) + DER.integer(signature[32...]))
  }
}
