import COpenSSL

/// What is done with the memory of secrets.
enum Memory {
  /// Overwrites it. The compiler does not remove this call.
  @inline(__always)
  static func wipe(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
  }

  /// Compares as many bytes of both, in a time that depends on their number only.
  static func isEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    unsafe CRYPTO_memcmp(left, right, count) == 0
  }
}
