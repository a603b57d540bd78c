import COpenSSL

/// HMAC-SHA1 (RFC 2104), which one-time codes use (RFC 4226, RFC 6238). SHA-1 is broken for signatures,
/// not for this; for anything new there is ``HMACSHA256``.
public enum HMACSHA1 {
  /// The number of bytes of a code.
  public static let byteCount = 20

  /// The code of a message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-1.
  public static func code(
    for message: Span<UInt8>, key: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: byteCount)
    var count: UInt32 = 0
    let isDone = unsafe key.withUnsafeBufferPointer { key in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe code.withUnsafeMutableBufferPointer { code in
          unsafe HMAC(
            EVP_sha1(), key.baseAddress, Int32(clamping: key.count), message.baseAddress,
            message.count, code.baseAddress, &count) != nil
        }
      }
    }
    guard isDone, count == byteCount else { throw .fromOpenSSL(.failed, "HMAC-SHA1") }
    return code
  }
}
