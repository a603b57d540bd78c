import LunaCrypto

extension HMACSHA256 {
  /// The first 32 bytes of HKDF-Expand with the present key as PRK and a label as info: one block
  /// (RFC 5869, 2.3). Shorter outputs are its beginning.
  @inline(__always)
  mutating func expand(_ label: StaticString) -> InlineArray<32, UInt8> {
    update(label)
    return code(for: ([1] as InlineArray<1, UInt8>).span)
  }

  /// The same with info = label | u32(counter).
  @inline(__always)
  mutating func expand(_ label: StaticString, _ counter: UInt32) -> InlineArray<32, UInt8> {
    update(label)
    let tail: InlineArray<5, UInt8> = [
      UInt8(truncatingIfNeeded: counter >> 24), UInt8(truncatingIfNeeded: counter >> 16),
      UInt8(truncatingIfNeeded: counter >> 8), UInt8(truncatingIfNeeded: counter), 1,
    ]
    return code(for: tail.span)
  }

  /// Adds an ASCII label to the message.
  @inline(__always)
  mutating func update(_ label: StaticString) {
    label.withUTF8Buffer { text in unsafe update(text.span) }
  }
}
