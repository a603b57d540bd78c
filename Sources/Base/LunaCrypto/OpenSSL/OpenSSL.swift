import COpenSSL

/// An algorithm of libcrypto, fetched once for the process and never freed: a fetch costs more than
/// ten of the operations it is for, and a fetched algorithm may be used by all threads.
@safe struct Fetched: @unchecked Sendable {
  let pointer: OpaquePointer?

  static let sha256 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHA2-256", nil))
  static let aes256GCM = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
  static let aes128GCM = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
  static let aes128ECB = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-128-ECB", nil))
  static let aes256ECB = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-256-ECB", nil))

  /// The algorithm, or an error that names it.
  func get(_ name: String) throws(CryptoError) -> OpaquePointer {
    guard let pointer = unsafe pointer else {
      throw CryptoError(.unavailable, name, detail: "no provider offers it")
    }
    return unsafe pointer
  }
}

/// Stops the process when a call on a live context fails, which OpenSSL does only when it is out of
/// memory: inputs were checked before. To go on would mean to use bytes that are not the result.
@inline(__always)
func require(_ result: Int32, _ operation: StaticString) {
  if result != 1 { preconditionFailure("libcrypto: \(operation) failed") }
}
