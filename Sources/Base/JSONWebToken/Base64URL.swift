/// base64url without padding (RFC 4648, 5; RFC 7515, 2).
package enum Base64URL {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var (buffer, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(letters[Int(buffer >> count & 63)])
      }
      buffer &= (1 << count) - 1
    }
    if count > 0 { text.append(letters[Int(buffer << (6 - count) & 63)]) }
    return text
  }

  /// - Returns: nil for other characters, where a letter is left over, and where bits are left over that
  ///   are not 0: nothing has two texts.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (buffer, count): (UInt32, UInt32) = (0, 0)
    guard text.count % 4 != 1 else { return nil }
    for index in text.indices {
      guard let value = value(text[index]) else { return nil }
      buffer = buffer << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(buffer >> count & 255))
      }
      buffer &= (1 << count) - 1
    }
    return buffer == 0 ? bytes : nil
  }

  /// The same for what is no array.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    let text = Array(text)
    return decode(text.span)
  }

  private static func value(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
