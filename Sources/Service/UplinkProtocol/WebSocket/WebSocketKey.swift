import LunaCrypto
import LunaProtocol

/// What both sides of an opening have in common (RFC 6455, 1.3).
enum WebSocketKey {
  /// Bytes of a key.
  static let count = 16
  /// What the server has to put behind the key.
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// What the server has to make of a key; nil where this machine has no SHA-1.
  static func answer(to key: String) -> String? {
    let text = Array((key + suffix).utf8)
    return (try? SHA1.digest(of: text.span)).map { Base64.encode($0.span) }
  }
}
