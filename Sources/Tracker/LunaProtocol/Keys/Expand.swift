import LunaCrypto

extension HMACSHA256 {
  /// The 32 bytes of HKDF-Expand with the present key as PRK and a label as info: one block
  /// (RFC 5869, 2.3). Shorter outputs are its beginning.
  mutating func expand(_ label: StaticString) -> InlineArray<32, UInt8> {
    update(label)
    let number: InlineArray<1, UInt8> = [1]
    return code(for: number.span)
  }

  /// The same with info = label | u32(counter).
  mutating func expand(_ label: StaticString, _ counter: UInt32) -> InlineArray<32, UInt8> {
    update(label)
    var tail: InlineArray<5, UInt8> = [0, 0, 0, 0, 1]
    var span = tail.mutableSpan
    span.setBigEndian(UInt64(counter), at: 0, count: 4)
    return code(for: tail.span)
  }

  /// ``expand(_:)`` for a key.
  mutating func expandToSecret(_ label: StaticString) -> SecretBytes {
    var block = expand(label)
    defer { wipe(&block) }
    return SecretBytes(copying: block.span)
  }

  /// Adds an ASCII label to the message.
  mutating func update(_ label: StaticString) {
    label.withUTF8Buffer { text in unsafe update(text.span) }
  }
}
