import Bluetooth
import Diagnosis
package import LunaCrypto

/// SHA-256 of what is shown once and never kept. These have 128 random bits or more: a slow hash as
/// for passwords would add nothing.
package enum SecretDigest {
  /// What lists call something with a digest: 16 digits of it.
  package static func name(_ digest: [UInt8]) -> String { Hex.lower(digest.prefix(8)) }

  /// The digest of a text.
  package static func of(_ text: String) throws(CryptoError) -> [UInt8] {
    let bytes = Array(text.utf8)
    let digest = try SHA256.digest(of: bytes.span)
    return digest.indices.map { digest[$0] }
  }
}
