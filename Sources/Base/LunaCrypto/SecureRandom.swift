import COpenSSL

/// Random bytes from OpenSSL's generator, which the system's seeds.
public enum SecureRandom {
  /// Random bytes that may be seen: nonces, challenges, addresses.
  ///
  /// - Throws: ``CryptoError`` when the system gives no randomness.
  public static func bytes<let count: Int>() throws(CryptoError) -> InlineArray<count, UInt8> {
    var bytes = InlineArray<count, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer {
      unsafe RAND_bytes($0.baseAddress, Int32($0.count))
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "random") }
    return bytes
  }

  /// A random key, from the generator kept for secrets.
  ///
  /// - Throws: ``CryptoError`` when the system gives no randomness.
  public static func secret(count: Int) throws(CryptoError) -> SecretBytes {
    var bytes = [UInt8](repeating: 0, count: count)
    defer { wipe(&bytes) }
    let result = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe RAND_priv_bytes($0.baseAddress, Int32(clamping: $0.count))
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "random") }
    return SecretBytes(copying: bytes.span)
  }
}
