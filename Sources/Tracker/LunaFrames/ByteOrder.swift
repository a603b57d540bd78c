extension Span<UInt8> {
  /// The unsigned number of `count` bytes (at most 8) from `offset`, most significant first. The
  /// caller has checked that they are there.
  @inline(__always)
  func bigEndian(at offset: Int, count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(self[offset &+ index]) }
    return value
  }

  /// The number of two bytes at `offset`, least significant first, as Bluetooth writes them.
  @inline(__always)
  func uncheckedLittleEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8
  }
}

extension MutableSpan<UInt8> {
  /// Writes the lowest `count` bytes of `value` at `offset`, most significant first.
  @inline(__always)
  mutating func setBigEndian(_ value: UInt64, at offset: Int, count: Int) {
    for index in 0..<count {
      self[offset &+ index] = UInt8(truncatingIfNeeded: value >> UInt64(8 &* (count &- 1 &- index)))
    }
  }
}
