import COpenSSL

/// SHA-1 (FIPS 180-4), for formats of others that tell messages apart by it. It is broken for signatures;
/// for anything new there is ``SHA256``.
public enum SHA1 {
  /// The number of bytes of a digest.
  public static let byteCount = 20

  /// The digest of a message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-1.
  public static func digest(of message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    var count: UInt32 = 0
    let isDone = unsafe message.withUnsafeBufferPointer { message in
      unsafe digest.withUnsafeMutableBufferPointer { digest in
        unsafe EVP_Digest(
          message.baseAddress, message.count, digest.baseAddress, &count, EVP_sha1(), nil) == 1
      }
    }
    guard isDone, count == byteCount else { throw .fromOpenSSL(.failed, "SHA-1") }
    return digest
  }
}
