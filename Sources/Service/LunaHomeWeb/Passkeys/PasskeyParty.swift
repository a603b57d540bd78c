import LunaCrypto
import LunaJSON
import WebAccess

/// For whom browsers keep passkeys: this server, by the name that they came by (WebAuthn, 5).
struct PasskeyParty: Sendable {
  /// The name.
  let id: String
  /// Where its pages come from.
  let origins: Set<String>

  /// The challenge that was signed; nil where a browser says that this was for something else, or another site's page.
  ///
  /// - Parameter kind: `webauthn.create` or `webauthn.get`.
  func challenge(in clientData: [UInt8], of kind: String) -> String? {
    guard let json = try? JSONReader.read(clientData), json["type"]?.text == kind,
      let origin = json["origin"]?.text, origins.contains(origin),
      json["crossOrigin"] != .bool(true)
    else { return nil }
    return json["challenge"]?.text
  }

  /// Whether an authenticator was asked for this server, by a person whom it knew.
  func accepts(_ data: AuthenticatorData) throws(CryptoError) -> Bool {
    let digest = try SecretDigest.of(id)
    return data.party == digest && data.isPersonVerified
  }
}
