import LunaCrypto

/// SHA-256 of what is shown once and never kept. These have 128 random bits or more: a slow hash as
/// for passwords would add nothing.
enum SecretDigest {
  static func of(_ text: String) throws(StorageError) -> [UInt8] {
    let bytes = Array(text.utf8)
    do throws(CryptoError) {
      let digest = try SHA256.digest(of: bytes.span)
      return digest.indices.map { digest[$0] }
    } catch {
      throw StorageError(.failed, error.description)
    }
  }
}
