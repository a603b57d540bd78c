import COpenSSL

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) with a context that is kept: a further code under the same key
/// costs two compressions, a new key two more.
@safe public struct HMACSHA256: ~Copyable, @unchecked Sendable {
  /// The number of bytes of a code.
  public static let byteCount = 32

  private let context: Owned
  /// Whether a code was taken: the key is put back only when another message follows under it.
  private var isFinished = false

  /// A context under `key`, of any length.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer HMAC or SHA-256.
  public init(key: Span<UInt8>) throws(CryptoError) {
    let algorithm = try unsafe Fetched.hmac.get("HMAC-SHA256")
    let context = try unsafe Owned(
      EVP_MAC_CTX_new(algorithm), "HMAC-SHA256", free: EVP_MAC_CTX_free)
    var digest = Array("SHA2-256".utf8CString)
    let result = unsafe digest.withUnsafeMutableBufferPointer { name in
      let parameters = unsafe [
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe key.withPointer {
        unsafe EVP_MAC_init(context.pointer, $0, key.count, parameters)
      }
    }
    guard result == 1 else { throw .fromOpenSSL(.unavailable, "HMAC-SHA256") }
    self.context = context
  }

  /// A context under the empty key, to be given another one.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer HMAC or SHA-256.
  public init() throws(CryptoError) {
    let none: [UInt8] = []
    try self.init(key: none.span)
  }

  /// Starts again under another key.
  @inline(__always)
  public mutating func setKey(_ key: Span<UInt8>) {
    unsafe key.withPointer {
      unsafe require(EVP_MAC_init(context.pointer, $0, key.count, nil), "HMAC key")
    }
    isFinished = false
  }

  /// Adds to the message.
  @inline(__always)
  public mutating func update(_ bytes: Span<UInt8>) {
    if isFinished { restart() }
    unsafe bytes.withPointer {
      unsafe require(EVP_MAC_update(context.pointer, $0, bytes.count), "HMAC update")
    }
  }

  /// The code of the message so far; the next message under the same key can follow.
  @inline(__always)
  public mutating func finalize() -> InlineArray<32, UInt8> {
    if isFinished { restart() }
    var code = InlineArray<32, UInt8>(repeating: 0)
    var span = code.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = 0
      unsafe require(
        EVP_MAC_final(context.pointer, buffer.baseAddress, &count, buffer.count), "HMAC final")
    }
    isFinished = true
    return code
  }

  /// The code of one message.
  @inline(__always)
  public mutating func code(for message: Span<UInt8>) -> InlineArray<32, UInt8> {
    update(message)
    return finalize()
  }

  @inline(__always)
  private mutating func restart() {
    unsafe require(EVP_MAC_init(context.pointer, nil, 0, nil), "HMAC restart")
    isFinished = false
  }
}
