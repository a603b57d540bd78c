import JSONWebToken
package import LunaCrypto
import LunaJSON

/// By what push services know this home (VAPID, RFC 8292).
package struct PushIdentity: Sendable {
  /// How long a token is good, s; a day at most (2).
  private static let lifetime: Int64 = 12 * 3600

  private let key: P256PrivateKey

  package init(_ key: P256PrivateKey) { self.key = key }

  /// What browsers are given when they subscribe: the public key in base64url.
  package var publicKey: String { String(decoding: Base64URL.encode(key.publicKey), as: UTF8.self) }

  /// The value of `Authorization`.
  ///
  /// - Parameters:
  ///   - audience: the push service's scheme, host and port.
  ///   - subject: where its operator can reach somebody: an https URL, or nil.
  ///   - now: seconds since 1970.
  package func authorization(
    for audience: String, subject: String?, at now: Int64
  ) throws(CryptoError) -> String {
    var claims: JSONObject = [
      "aud": .string(audience), "exp": .integer(now + PushIdentity.lifetime),
    ]
    if let subject { claims.append("sub", .string(subject)) }
    let head: JSONValue = ["typ": "JWT", "alg": "ES256"]
    var token =
      Base64URL.encode(head.bytes) + [UInt8(ascii: ".")]
      + Base64URL.encode(JSONValue.object(claims).bytes)
    let signature = try key.signature(of: token.span)
    token += [UInt8(ascii: ".")] + Base64URL.encode(signature)
    return "vapid t=\(String(decoding: token, as: UTF8.self)),k=\(publicKey)"
  }
}
