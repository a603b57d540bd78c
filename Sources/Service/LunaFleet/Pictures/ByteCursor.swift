/// Reads a file from its beginning; beyond the end there is nothing.
struct ByteCursor {
  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var rest: Int { bytes.count - position }

  mutating func byte() -> UInt8? {
    guard rest >= 1 else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest >= count else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func bigEndian16() -> Int? {
    guard rest >= 2 else { return nil }
    defer { position += 2 }
    return Int(bytes[position]) << 8 | Int(bytes[position + 1])
  }

  mutating func bigEndian32() -> UInt32? {
    guard let high = rest >= 4 ? bigEndian16() : nil, let low = bigEndian16() else { return nil }
    return UInt32(high) << 16 | UInt32(low)
  }

  mutating func littleEndian32() -> UInt32? { bigEndian32()?.byteSwapped }
}
