import COpenSSL

/// SHA-256 (FIPS 180-4) with a context that is kept.
@safe public struct SHA256: ~Copyable, @unchecked Sendable {
  /// The number of bytes of a digest.
  public static let byteCount = 32

  private let algorithm: OpaquePointer
  private let context: Owned

  /// An empty message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-256.
  public init() throws(CryptoError) {
    let algorithm = try unsafe Fetched.sha256.get("SHA-256")
    let context = try unsafe Owned(EVP_MD_CTX_new(), "SHA-256", free: EVP_MD_CTX_free)
    unsafe require(EVP_DigestInit_ex2(context.pointer, algorithm, nil), "SHA-256 start")
    unsafe self.algorithm = algorithm
    self.context = context
  }

  /// Adds to the message.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer {
      unsafe require(EVP_DigestUpdate(context.pointer, $0, bytes.count), "SHA-256 update")
    }
  }

  /// The digest of the message so far; the next message starts empty.
  public mutating func finalize() -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe require(EVP_DigestFinal_ex(context.pointer, buffer.baseAddress, nil), "SHA-256 final")
    }
    unsafe require(EVP_DigestInit_ex2(context.pointer, algorithm, nil), "SHA-256 start")
    return digest
  }

  /// The digest of one message.
  public static func digest(of message: Span<UInt8>) throws(CryptoError) -> InlineArray<32, UInt8> {
    var hash = try SHA256()
    hash.update(message)
    return hash.finalize()
  }
}
