import COpenSSL

/// A SHA-256 context of libcrypto.
@safe struct DigestContext: ~Copyable, @unchecked Sendable {
  private let algorithm: OpaquePointer
  private let context: Owned

  init() throws(CryptoError) {
    let algorithm = try unsafe Fetched.sha256.get("SHA-256")
    let context = try unsafe Owned(EVP_MD_CTX_new(), "SHA-256", free: EVP_MD_CTX_free)
    guard unsafe EVP_DigestInit_ex2(context.pointer, algorithm, nil) == 1 else {
      throw .fromOpenSSL(.unavailable, "SHA-256")
    }
    unsafe self.algorithm = algorithm
    self.context = context
  }

  /// Forgets the message.
  @inline(__always)
  func restart() {
    unsafe require(EVP_DigestInit_ex2(context.pointer, algorithm, nil), "SHA-256 start")
  }

  @inline(__always)
  func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer {
      unsafe require(EVP_DigestUpdate(context.pointer, $0, bytes.count), "SHA-256 update")
    }
  }

  /// The digest; ``restart()`` or ``copy(_:)`` must follow before the next message.
  @inline(__always)
  func finalize() -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe require(EVP_DigestFinal_ex(context.pointer, buffer.baseAddress, nil), "SHA-256 final")
    }
    return digest
  }

  /// Takes over the state of another context.
  @inline(__always)
  func copy(_ other: borrowing DigestContext) {
    unsafe require(EVP_MD_CTX_copy_ex(context.pointer, other.context.pointer), "SHA-256 copy")
  }
}
