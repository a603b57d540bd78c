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

  /// Appends a UUID in its text form.
  func append(_ uuid: BluetoothUUID) {
    switch uuid {
    case .bit16(let value): append(upperHex: UInt64(value), digits: 4)
    case .bit32(let value): append(upperHex: UInt64(value), digits: 8)
    case .bit128(let high, let low):
      append(upperHex: high >> 32, digits: 8)
      append(UInt8(ascii: "-"))
      append(upperHex: high >> 16, digits: 4)
      append(UInt8(ascii: "-"))
      append(upperHex: high, digits: 4)
      append(UInt8(ascii: "-"))
      append(upperHex: low >> 48, digits: 4)
      append(UInt8(ascii: "-"))
      append(upperHex: low, digits: 12)
    }
  }

  /// Appends the lowest `digits` hexadecimal digits of a number.
  private func append(upperHex value: UInt64, digits: Int) {
    for shift in stride(from: 4 * (digits - 1), through: 0, by: -4) {
      let nibble = UInt8(truncatingIfNeeded: value >> UInt64(shift) & 15)
      append(nibble &+ (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10))
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
