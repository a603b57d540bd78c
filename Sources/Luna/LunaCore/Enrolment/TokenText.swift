import Bluetooth
package import LunaCrypto
import LunaProtocol

/// The text of a token as its holder sends it: 32 random bytes behind a word for those who find one by chance.
/// Backends make them, and gateways that offer themselves.
package enum TokenText {
  private static func prefix(_ role: String) -> String { "luna-\(role)-" }

  /// A new one.
  ///
  /// - Parameter role: what it is for, in a word.
  package static func make(_ role: String) throws(CryptoError) -> String {
    let secret = try SecureRandom.secret(count: 32)
    return secret.withBytes { prefix(role) + Hex.lower($0) }
  }

  /// Whether a text is that of a token for `role`.
  package static func isToken(_ text: String, of role: String) -> Bool {
    let prefix = prefix(role)
    return text.hasPrefix(prefix) && Hex.bytes(text.dropFirst(prefix.count))?.count == 32
  }
}
