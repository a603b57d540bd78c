/// Reads numbers at offsets that the caller has checked.
extension Span<UInt8> {
  @inline(__always)
  func unsigned16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset &+ 1])
  }

  @inline(__always)
  func unsigned32(at offset: Int) -> UInt32 {
    UInt32(unsigned16(at: offset)) << 16 | UInt32(unsigned16(at: offset &+ 2))
  }

  @inline(__always)
  func unsigned64(at offset: Int) -> UInt64 {
    UInt64(unsigned32(at: offset)) << 32 | UInt64(unsigned32(at: offset &+ 4))
  }

  @inline(__always)
  func uncheckedLittleEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8
  }

  @inline(__always)
  func signed8(at offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }
}
