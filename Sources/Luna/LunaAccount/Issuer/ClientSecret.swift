package import LunaCrypto
import LunaProtocol
import SafeText

/// With what a program shows an issuer that it is the one that it says (RFC 6749, 2.3.1).
package struct ClientSecret: Sendable {
  let secret: SecretBytes?

  /// - Parameter secret: nil where a program has none, which is as good as an empty one.
  package init(_ secret: SecretBytes?) { self.secret = secret }

  /// A header line, which ends with a zero byte.
  package func headerLine(of client: String) -> SecretBytes {
    let secret = secret.map {
      $0.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
    let pair = PercentEncoding.encode(client) + ":" + PercentEncoding.encode(secret ?? "")
    let line = "Authorization: Basic \(Base64.encode(Array(pair.utf8).span))\0"
    return SecretBytes(copying: Array(line.utf8).span)
  }
}
