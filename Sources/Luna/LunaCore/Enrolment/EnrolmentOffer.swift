import Bluetooth
public import LunaCrypto
public import LunaJSON

/// What a gateway offers again and again until somebody has scanned its label: its public key and the
/// digest of the token that it has made. The token stays with it.
public struct EnrolmentOffer: Hashable, Sendable {
  /// The code of the answer as long as nobody has scanned the label.
  package static let unscanned = "notEnrolled"
  /// The code of the answer when no scan makes the token good again: it was revoked, or another one
  /// came before it.
  package static let superseded = "alreadyEnrolled"

  /// The public key of the gateway, Ed25519 (RFC 8032), 32 bytes.
  public let publicKey: [UInt8]
  /// SHA-256 of the token's text, 32 bytes.
  public let tokenDigest: [UInt8]
  /// Over `message`, 64 bytes.
  public let signature: [UInt8]

  /// An offer.
  ///
  /// - Parameters:
  ///   - privateKey: 32 bytes.
  ///   - tokenDigest: of the token's text.
  public init(privateKey: SecretBytes, tokenDigest: [UInt8]) throws(CryptoError) {
    let key = try Ed25519.publicKey(of: privateKey)
    publicKey = key.indices.map { key[$0] }
    self.tokenDigest = tokenDigest
    let signature = try Ed25519.signature(
      of: EnrolmentOffer.message(tokenDigest).span, privateKey: privateKey)
    self.signature = signature.indices.map { signature[$0] }
  }

  /// Reads an offer; whether the signature is right says ``isSigned``.
  ///
  /// - Throws: where a member is missing, or is not so many hexadecimal digits in lower case.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the body")
    func bytes(_ name: String, _ count: Int) throws(FormatError) -> [UInt8] {
      let text = try members.string(name)
      guard let bytes = Hex.bytes(text), bytes.count == count, Hex.lower(bytes) == text else {
        throw FormatError(name, "is not \(2 * count) lower-case hexadecimal digits")
      }
      return bytes
    }
    publicKey = try bytes("publicKey", 32)
    tokenDigest = try bytes("tokenDigest", 32)
    signature = try bytes("signature", 64)
  }

  /// The offer as JSON.
  public var json: JSONValue {
    [
      "publicKey": .string(Hex.lower(publicKey)), "tokenDigest": .string(Hex.lower(tokenDigest)),
      "signature": .string(Hex.lower(signature)),
    ]
  }

  /// Whether the holder of the key made it.
  public var isSigned: Bool {
    Ed25519.isValid(
      signature: signature.span, of: EnrolmentOffer.message(tokenDigest).span,
      publicKey: publicKey.span)
  }

  /// What is signed: "luna enrol" ‖ the digest.
  private static func message(_ tokenDigest: [UInt8]) -> [UInt8] {
    Array("luna enrol".utf8) + tokenDigest
  }
}
