import CBearSSL

/// A SHA-256 context of BearSSL.
@safe struct DigestContext: ~Copyable, @unchecked Sendable {
  private let context: Owned<br_sha256_context>

  init() throws(CryptoError) {
    unsafe context = Owned(br_sha256_context())
    restart()
  }

  /// Forgets the message.
  func restart() {
    unsafe br_sha256_init(context.pointer)
  }

  func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer { unsafe luna_sha256_update(context.pointer, $0, bytes.count) }
  }

  /// The digest; ``restart()`` or ``copy(_:)`` must follow before the next message.
  func finalize() -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe br_sha256_out(context.pointer, buffer.baseAddress)
    }
    return digest
  }

  /// Takes over the state of another context.
  func copy(_ other: borrowing DigestContext) {
    unsafe context.pointer.pointee = other.context.pointer.pointee
  }
}
