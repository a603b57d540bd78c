/// Reading what packets carry, least significant byte first, with every length checked.
extension Span<UInt8> {
  /// Two bytes; nil when they end before.
  package func littleEndianWord(at offset: Int) -> UInt16? {
    guard offset >= 0, count - offset >= 2 else { return nil }
    return UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  /// The bytes from `offset` on, at most `limit` of them.
  package func octets(from offset: Int, limit: Int = .max) -> [UInt8] {
    guard offset >= 0, offset < count else { return [] }
    return (offset..<offset + Swift.min(limit, count - offset)).map { self[$0] }
  }
}
