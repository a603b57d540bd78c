import Bluetooth
import JSONWebToken
import LunaCrypto
import LunaJSON

/// What an ID token says (OpenID Connect Core 1.0, 2). Its signature is not looked at: it came from the
/// token endpoint itself (3.1.3.7, 6).
struct IDToken: Sendable {
  let issuer: String?
  let subject: String?
  let audience: [String]
  let nonce: String?
  let expiresAt: Timestamp?

  /// - Returns: nil for what is no JWT.
  init?(_ token: SecretBytes) {
    let claims: [UInt8]? = token.withBytes { bytes in
      let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
      guard dots.count == 2 else { return nil }
      return Base64URL.decode(bytes.extracting((dots[0] + 1)..<dots[1]))
    }
    guard let claims, let value = try? JSONReader.read(claims), case .object(let object) = value
    else { return nil }
    func text(_ name: String) -> String? {
      if case .string(let text)? = object[name] { text } else { nil }
    }
    issuer = text("iss")
    subject = text("sub").flatMap { $0.utf8.count <= 1024 ? $0 : nil }
    nonce = text("nonce")
    switch object["aud"] {
    case .string(let one)?: audience = [one]
    case .array(let several)?:
      audience = several.compactMap { if case .string(let one) = $0 { one } else { nil } }
    default: audience = []
    }
    expiresAt = object["exp"].flatMap { TokenVerdict.seconds(of: $0) }.map {
      Timestamp(microseconds: min($0, 253_402_300_799) * 1_000_000)
    }
  }

  /// Whether it may still be shown to a server.
  func isGood(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }
}
