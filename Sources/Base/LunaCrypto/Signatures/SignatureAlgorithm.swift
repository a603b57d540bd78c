/// How something was signed, by the names of RFC 7518 (3.1) and RFC 8037 (3.1).
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
  /// ECDSA over P-256 with SHA-256; the signature is R and S, 32 bytes each.
  case es256 = "ES256"
  /// Ed25519 (RFC 8032).
  case edDSA = "EdDSA"
}
