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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = value(of: character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  /// Two lower-case digits.
  public static func lower(_ byte: UInt8) -> String { pair(byte, letters: UInt8(ascii: "a")) }

  /// Two upper-case digits.
  public static func upper(_ byte: UInt8) -> String { pair(byte, letters: UInt8(ascii: "A")) }

  /// The lower-case digits of `bytes`, without separators.
  public static func lower(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text += lower(byte) }
    return text
  }

  private static func pair(_ byte: UInt8, letters: UInt8) -> String {
    func digit(_ value: UInt8) -> Character {
      Character(Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : letters + value - 10))
    }
    return String([digit(byte >> 4), digit(byte & 15)])
  }
}
