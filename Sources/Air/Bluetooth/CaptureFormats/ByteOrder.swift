/// Integers at an offset, in either byte order. One bounds check each; they trap outside of the
/// bytes, so every caller looks at the count first.
extension Span where Element == UInt8 {
  @inline(__always)
  func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, at offset: Int
  ) -> Number {
    Number(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  @usableFromInline @inline(__always)
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, at offset: Int
  ) -> Number {
    Number(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, at offset: Int, isBigEndian: Bool
  ) -> Number {
    isBigEndian ? bigEndian(type, at: offset) : littleEndian(type, at: offset)
  }
}

extension [UInt8] {
  mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(littleEndian number: some FixedWidthInteger) {
    append(bigEndian: number.byteSwapped)
  }
}
