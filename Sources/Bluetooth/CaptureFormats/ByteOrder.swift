/// Integers at an offset, in either byte order. One bounds check each; they trap outside of the
/// bytes, so every caller looks at the count first.
extension Span where Element == UInt8 {
  @inline(__always)
  func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, at offset: Int
  ) -> Number {
    Number(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  @inline(__always)
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
