package import LunaCrypto
import LunaJSON

/// A public key for signatures as an issuer shows it (RFC 7517; RFC 7518, 6; RFC 8037, 2).
package struct WebKey: Sendable {
  /// What tokens call it.
  package let id: String?
  /// The key.
  package let key: VerificationKey

  /// - Returns: nil for what is no such key: one that encrypts, one of another kind, a shared secret.
  init?(_ value: JSONValue) {
    guard case .object(let object) = value else { return nil }
    func text(_ name: String) -> String? {
      if case .string(let text)? = object[name] { text } else { nil }
    }
    func bytes(_ name: String) -> [UInt8]? {
      text(name).flatMap { Base64URL.decode($0.utf8) }
    }
    // Numbers have just the bytes they need, coordinates all of theirs (RFC 7518, 6.3.1.1, 6.2.1.2). Some issuers
    // write a zero before a number, or none before a coordinate that begins with one: one key in 128 is such.
    func number(_ bytes: [UInt8], of count: Int = 0) -> [UInt8] {
      let digits = bytes.drop { $0 == 0 }
      return [UInt8](repeating: 0, count: max(0, count - digits.count)) + digits
    }
    guard object["use"] == nil || text("use") == "sig" else { return nil }
    if let operations = object["key_ops"] {
      guard case .array(let operations) = operations, operations.contains("verify") else {
        return nil
      }
    }
    guard object["kid"] == nil || text("kid") != nil else { return nil }
    id = text("kid")
    let key: VerificationKey?
    switch (text("kty"), text("crv")) {
    case ("RSA", _):
      guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
      key = try? VerificationKey(modulus: number(modulus).span, exponent: exponent.span)
    case ("EC", "P-256"):
      guard let x = bytes("x"), let y = bytes("y") else { return nil }
      key = try? VerificationKey(x: number(x, of: 32).span, y: number(y, of: 32).span)
    case ("OKP", "Ed25519"):
      guard let x = bytes("x") else { return nil }
      key = try? VerificationKey(ed25519: x.span)
    default: return nil
    }
    guard let key, object["alg"] == nil || text("alg") == key.algorithm.rawValue else { return nil }
    self.key = key
  }
}
