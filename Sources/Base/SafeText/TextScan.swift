/// Finds what must not be passed on raw in a text: characters that steer a terminal, break a line,
/// or turn the direction in which text is read.
public enum TextScan {
  /// A character that must be escaped.
  public struct Stop: Hashable, Sendable {
    /// Where it begins in the UTF-8 of the text.
    public let offset: Int
    /// How many bytes it has there.
    public let count: Int
    /// Its code point.
    public let scalar: UInt32
  }

  /// Whether a character must be escaped: C0, DEL and C1 controls, the line and the paragraph
  /// separator, and the marks, embeddings, overrides and isolates that set a direction.
  public static func isUnsafe(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The first character from `start` on that must be escaped; nil when there is none.
  ///
  /// - Parameters:
  ///   - bytes: valid UTF-8, as that of a `String`.
  ///   - quotes: whether the quotation mark and the backslash are to be found as well.
  public static func next(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, quotes: Bool = false
  ) -> Stop? {
    var offset = start
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        if quotes { return Stop(offset: offset, count: 1, scalar: UInt32(byte)) }
        offset += 1
      case 0x20..<0x7F: offset += 1
      case 0..<0x80: return Stop(offset: offset, count: 1, scalar: UInt32(byte))
      default:
        let (scalar, count) = decode(bytes, at: offset)
        if isUnsafe(scalar) { return Stop(offset: offset, count: count, scalar: scalar) }
        offset += count
      }
    }
    return nil
  }

  /// A character of several bytes. Those of four are all harmless.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> (scalar: UInt32, count: Int) {
    let left = bytes.count - offset
    func bits(_ index: Int) -> UInt32 { UInt32(bytes[offset + index] & 0x3F) }
    switch bytes[offset] {
    case 0xC0..<0xE0 where left >= 2:
      return (UInt32(bytes[offset] & 0x1F) << 6 | bits(1), 2)
    case 0xE0..<0xF0 where left >= 3:
      return (UInt32(bytes[offset] & 0x0F) << 12 | bits(1) << 6 | bits(2), 3)
    case 0xF0... where left >= 4: return (0x10000, 4)
    // No UTF-8; a lone byte from 80 to 9F is a control to a terminal that reads Latin-1.
    default: return (UInt32(bytes[offset]), 1)
    }
  }
}
