import Bluetooth
import JSONWebToken
import LunaCrypto

@testable import LunaAccount

extension SecretBytes {
  init(_ text: String) { self.init(copying: Array(text.utf8).span) }

  /// What is in it, for comparisons.
  var text: String {
    withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
  }
}

extension Timestamp {
  init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }
}

enum Samples {
  static func credential(
    issuer: String = "http://127.0.0.1:1", issuedAt: Int64 = 1_000_000, expiresIn: Int64? = 3600,
    refreshToken: String? = "refresh-1", idToken: String? = nil, generation: Int64 = 1,
    scope: String? = "openid"
  ) -> Credential {
    Credential(
      issuer: issuer, clientID: "luna", subject: "me",
      accessToken: SecretBytes("access-\(generation)"),
      refreshToken: refreshToken.map { SecretBytes($0) }, idToken: idToken.map { SecretBytes($0) },
      scope: scope, issuedAt: Timestamp(seconds: issuedAt), expiresIn: expiresIn,
      generation: generation)
  }

  /// A JWT without a signature worth the name.
  static func idToken(_ claims: String) -> String {
    [#"{"alg":"ES256"}"#, claims, "signature"].map {
      String(decoding: Base64URL.encode($0.utf8), as: UTF8.self)
    }.joined(separator: ".")
  }
}
