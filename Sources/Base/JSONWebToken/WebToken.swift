package import LunaCrypto
import LunaJSON

/// A signed JWT in its compact form (RFC 7515, 7.1; RFC 7519), read and not yet believed: see
/// ``isSigned(by:)``.
package struct WebToken: Sendable {
  /// The most bytes that are read of what comes with a request.
  package static let limit = 8 << 10
  /// The most bytes that are read of what an issuer gave for a sign-in: some write all groups of a person into it, Entra
  /// ID up to 200.
  package static let signInLimit = 48 << 10

  /// How it says that it is signed. The key has to be for just that.
  package let algorithm: SignatureAlgorithm
  /// Which key it says it is signed with.
  package let keyID: String?
  /// What it says it is, such as `at+jwt`: in lower case, without `application/`.
  package let type: String?
  /// What it says.
  package let claims: WebTokenClaims
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Reads a token.
  package init(_ text: [UInt8], limit: Int = WebToken.limit) throws(WebTokenProblem) {
    guard text.count <= limit else { throw .tooLong }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("parts") }
    let header = try WebToken.object(parts[0], "header")
    guard header["crit"] == nil else { throw .critical }
    guard case .string(let name)? = header["alg"] else { throw .malformed("alg") }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithm }
    keyID = try WebToken.text(header, "kid")
    let type = try WebToken.text(header, "typ")?.lowercased()
    self.type = type.map { $0.hasPrefix("application/") ? String($0.dropFirst(12)) : $0 }
    self.algorithm = algorithm
    claims = try WebTokenClaims(try WebToken.object(parts[1], "claims"))
    guard let signature = Base64URL.decode(parts[2]), !signature.isEmpty else {
      throw .malformed("signature")
    }
    self.signature = signature
    signed = Array(text[..<parts[1].endIndex])
  }

  /// Whether the owner of a key signed it.
  package func isSigned(by key: VerificationKey) -> Bool {
    guard key.algorithm == algorithm else { return false }
    return (try? key.isSignature(signature.span, of: signed.span)) ?? false
  }

  private static func object(
    _ part: ArraySlice<UInt8>, _ name: String
  ) throws(WebTokenProblem) -> JSONObject {
    // A name that stands twice could be one thing for us, and another for who made the token.
    guard let bytes = Base64URL.decode(part),
      let value = try? JSONReader.read(bytes, rules: .strict(elements: 1000)),
      case .object(let object) = value
    else { throw .malformed(name) }
    return object
  }

  private static func text(
    _ header: JSONObject, _ name: String
  ) throws(WebTokenProblem) -> String? {
    switch header[name] {
    case nil: return nil
    case .string(let text)?: return text
    default: throw .malformed(name)
    }
  }
}
