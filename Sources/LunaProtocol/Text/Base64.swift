/// base64 with the alphabet and padding of RFC 4648, section 4, and in one form only
/// (PROTOCOL.md, 2): no line breaks, and unused bits zero.
public enum Base64 {
  /// The text of `bytes`.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
      }
      for place in 0..<4 {
        text.append(
          place <= count
            ? digit(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * place)) & 63)
            : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text.
  ///
  /// - Returns: nil for every text that ``encode(_:)`` does not make.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, character) in text.dropLast(padding).enumerated() {
      guard let value = value(of: character) else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 == 3 {
        for shift in [UInt32(16), 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
        group = 0
      }
    }
    switch padding {
    case 1:
      guard group & 0b11 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    case 2:
      guard group & 0b1111 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    default: break
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
