import Bluetooth
import Diagnosis
package import LunaCrypto
import LunaProtocol

/// 32 random bytes as 64 digits, of which only a digest is kept: of a session, of a link.
package struct RandomSecret: Hashable, Sendable {
  /// As its holder has it.
  package let text: String

  /// A new one.
  package init() throws(CryptoError) {
    text = try SecureRandom.secret(count: 32).withBytes { Hex.lower($0) }
  }

  /// One that somebody presents.
  ///
  /// - Returns: nil when it is none.
  package init?(_ text: String) {
    guard text.utf8.count == 64, let bytes = Hex.bytes(text), Hex.lower(bytes) == text else {
      return nil
    }
    self.text = text
  }

  /// SHA-256 of the text.
  package func digest() throws(CryptoError) -> [UInt8] { try SecretDigest.of(text) }
}
