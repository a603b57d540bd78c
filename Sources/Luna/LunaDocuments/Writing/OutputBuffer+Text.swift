package import Bluetooth
import SafeText

extension OutputBuffer {
  /// Appends an address in its text form.
  @inline(__always)
  package func append(_ address: BluetoothAddress) {
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
  package func append(_ uuid: BluetoothUUID) {
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

  /// Appends the inside of a JSON string, which has to be escaped in places only.
  package func append(jsonEscaped text: String) {
    append(text, quotes: true) { JSONEscape.escape($0) }
  }

  /// Appends a text in which whatever steers a terminal, breaks the line or turns the direction is
  /// escaped: nothing that others wrote goes out otherwise.
  package func append(text: String) {
    append(text, quotes: false) { EscapedText.escape($0) }
  }

  /// Appends a text as a line of its own.
  package func append(line: String) {
    append(text: line)
    append(UInt8(ascii: "\n"))
  }

  /// Appends a text of several lines that was made here, whose lines and tabs stay.
  package func append(document: String) {
    append(document, quotes: false) { scalar in
      scalar == 0x0A ? "\n" : scalar == 0x09 ? "\t" : EscapedText.escape(scalar)
    }
  }

  private func append(_ text: String, quotes: Bool, _ escape: (UInt32) -> String) {
    TextScan.write(text, quotes: quotes, escape: escape) { append($0) }
  }
}
