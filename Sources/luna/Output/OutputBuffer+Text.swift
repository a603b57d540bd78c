import Bluetooth

extension OutputBuffer {
  /// Appends an address in its text form.
  @inline(__always)
  func append(_ address: BluetoothAddress) {
    func digit(_ value: UInt64) -> UInt8 {
      let nibble = UInt8(truncatingIfNeeded: value & 15)
      return nibble &+ (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10)
    }
    for shift in stride(from: UInt64(40), through: 0, by: -8) {
      if shift != 40 { append(UInt8(ascii: ":")) }
      append(digit(address.value >> (shift + 4)))
      append(digit(address.value >> shift))
    }
  }

  /// Appends the inside of a JSON string: quotes, backslashes and control characters escaped.
  func append(jsonEscaped text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20, 0x7F:
        append("\\u00")
        append(Hex.lower(byte))
      default: append(byte)
      }
    }
  }
}
