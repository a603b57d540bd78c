/// The few forms of ASN.1 that keys and signatures have (X.690, 8 and 10).
enum DER {
  /// Values one after the other.
  static func sequence(_ content: [UInt8]) -> [UInt8] { value(0x30, content) }

  /// Bytes as a string of bits.
  static func bits(_ content: [UInt8]) -> [UInt8] { value(0x03, [0] + content) }

  /// Bytes as they are.
  static func bytes(_ content: [UInt8]) -> [UInt8] { value(0x04, content) }

  /// Something that its number in a sequence tells.
  static func tagged(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    value(0xA0 | number, content)
  }

  /// Two numbers in a sequence, each in so many bytes; nil for anything else.
  static func twoIntegers(_ text: ArraySlice<UInt8>, of count: Int) -> [UInt8]? {
    guard text.count > 2, text.first == 0x30, Int(text[text.startIndex + 1]) == text.count - 2
    else {
      return nil
    }
    var (rest, numbers) = (text.dropFirst(2), [UInt8]())
    while rest.count > 2, rest.first == 0x02 {
      let length = Int(rest[rest.startIndex + 1])
      guard length <= rest.count - 2 else { return nil }
      let digits = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
      guard digits.count <= count else { return nil }
      numbers += [UInt8](repeating: 0, count: count - digits.count) + digits
      rest = rest.dropFirst(2 + length)
    }
    return rest.isEmpty && numbers.count == 2 * count ? numbers : nil
  }

  /// A number that is not negative, from its bytes, big-endian.
  static func integer(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return value(0x02, digits)
  }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var count: [UInt8] = []
    if content.count < 0x80 {
      count = [UInt8(content.count)]
    } else {
      var rest = content.count
      while rest > 0 {
        count.insert(UInt8(truncatingIfNeeded: rest), at: 0)
        rest >>= 8
      }
      count.insert(0x80 | UInt8(count.count), at: 0)
    }
    return [tag] + count + content
  }
}
