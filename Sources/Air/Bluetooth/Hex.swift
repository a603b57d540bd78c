/// Hexadecimal text, both ways.
public enum Hex {
  /// The value of a hexadecimal digit in ASCII, in either case.
  public static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The bytes of a text of hexadecimal digit pairs.
  ///
  /// - Returns: nil when a character is not a digit or the number of digits is odd.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    // One buffer, however the text is kept: tokens and identifiers come with every request.
    let text = String(text)
    let digits = text.utf8Span.span
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in 0..<digits.count / 2 {
      guard let high = value(of: digits[2 * index]), let low = value(of: digits[2 * index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Two lower-case digits.
  public static func lower(_ byte: UInt8) -> String {
    text(CollectionOfOne(byte), letters: UInt8(ascii: "a"))
  }

  /// Two upper-case digits.
  public static func upper(_ byte: UInt8) -> String {
    text(CollectionOfOne(byte), letters: UInt8(ascii: "A"))
  }

  /// The lower-case digits of `bytes`, without separators.
  public static func lower(_ bytes: some Sequence<UInt8>) -> String {
    text(bytes, letters: UInt8(ascii: "a"))
  }

  private static func text(_ bytes: some Sequence<UInt8>, letters: UInt8) -> String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : letters + value - 10
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
