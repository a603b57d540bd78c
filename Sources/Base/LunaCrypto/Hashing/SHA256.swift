/// SHA-256 (FIPS 180-4) with a context that is kept.
public struct SHA256: ~Copyable, Sendable {
  /// The number of bytes of a digest.
  public static let byteCount = 32

  private let context: DigestContext

  /// An empty message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-256.
  public init() throws(CryptoError) {
    context = try DigestContext()
  }

  /// Adds to the message.
  public mutating func update(_ bytes: Span<UInt8>) {
    context.update(bytes)
  }

  /// The digest of the message so far; the next message starts empty.
  public mutating func finalize() -> InlineArray<32, UInt8> {
    let digest = context.finalize()
    context.restart()
    return digest
  }

  /// The digest of one message.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer SHA-256.
  public static func digest(of message: Span<UInt8>) throws(CryptoError) -> InlineArray<32, UInt8> {
    var hash = try SHA256()
    hash.update(message)
    return hash.finalize()
  }
}
