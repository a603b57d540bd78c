/// Bytes in addresses and forms (RFC 3986, 2.1).
package enum PercentEncoding {
  /// What a text stands for.
  ///
  /// - Parameter plusIsBlank: as in forms.
  /// - Returns: nil where a `%` is not followed by two hexadecimal digits.
  package static func decode(
    _ text: some StringProtocol, plusIsBlank: Bool = false
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Adds a byte, as it is where that is one of the unreserved characters.
  package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    let isPlain =
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || "-._~".utf8.contains(byte)
    if isPlain {
      bytes.append(byte)
    } else {
      bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }
  }

  /// A text with what is reserved encoded.
  package static func encode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { append(byte, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
