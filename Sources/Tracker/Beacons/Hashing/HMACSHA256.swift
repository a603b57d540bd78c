/// HMAC-SHA256 (RFC 2104), likewise for what anybody can compute. The state behind each padded key is computed once.
struct HMACSHA256: Sendable {
  /// Behind key XOR ipad.
  private let inner: SHA256
  /// Behind key XOR opad.
  private let outer: SHA256

  /// A key of at most 64 bytes.
  init(key: Span<UInt8>) {
    inner = HMACSHA256.hash(key, padding: 0x36)
    outer = HMACSHA256.hash(key, padding: 0x5C)
  }

  /// The code of a message.
  func code(for message: Span<UInt8>) -> InlineArray<32, UInt8> {
    var hash = inner
    hash.update(message)
    let digest = hash.finalize()
    hash = outer
    hash.update(digest.span)
    return hash.finalize()
  }

  private static func hash(_ key: Span<UInt8>, padding: UInt8) -> SHA256 {
    var block = InlineArray<64, UInt8>(repeating: padding)
    for index in key.indices { block[index] ^= key[index] }
    var hash = SHA256()
    hash.update(block.span)
    return hash
  }
}
