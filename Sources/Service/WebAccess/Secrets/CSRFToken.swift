import Bluetooth
package import LunaCrypto
import LunaProtocol

/// What a page of this server shows that it is one: whoever has the secret of the session can make it, and no
/// page that cannot read.
package enum CSRFToken {
  /// The token of a session.
  package static func of(_ secret: RandomSecret) throws(CryptoError) -> String {
    let (key, message) = (Array(secret.text.utf8), Array("luna csrf".utf8))
    var code = try HMACSHA256(key: key.span)
    return Hex.lower(code.code(for: message.span).span)
  }

  /// Whether somebody presents the token of a session.
  package static func isRight(
    _ text: String?, of secret: RandomSecret
  ) throws(CryptoError) -> Bool {
    let (given, right) = (Array((text ?? "").utf8), Array(try of(secret).utf8))
    return constantTimeEqual(given.span, right.span)
  }
}
