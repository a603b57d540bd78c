/// A UUID as Bluetooth uses it: 16 bits, 32 bits, or all 128
/// (Core Specification, Vol 3, Part B, 2.5.1).
public enum BluetoothUUID: Hashable, Sendable {
  /// A 16-bit UUID assigned by the Bluetooth SIG.
  case bit16(UInt16)
  /// A 32-bit UUID assigned by the Bluetooth SIG.
  case bit32(UInt32)
  /// A full UUID; the two halves in the order of its text.
  case bit128(high: UInt64, low: UInt64)

  /// Reads 2, 4 or 16 bytes, least significant first, as packets carry them.
  ///
  /// - Returns: nil for other widths, or when the bytes do not reach that far.
  public init?(littleEndian bytes: Span<UInt8>, at offset: Int, width: Int) {
    guard offset >= 0, width >= 0, bytes.count - offset >= width else { return nil }
    func number(_ start: Int, _ count: Int) -> UInt64 {
      var value: UInt64 = 0
      for index in 0..<count { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
      return value
    }
    switch width {
    case 2: self = .bit16(UInt16(truncatingIfNeeded: number(offset, 2)))
    case 4: self = .bit32(UInt32(truncatingIfNeeded: number(offset, 4)))
    case 16: self = .bit128(high: number(offset + 8, 8), low: number(offset, 8))
    default: return nil
    }
  }

  /// Reads the text forms `1804`, `00001804`, `38EB0000-FC56-5CB4-A0F2-DAD299D5501D`, in any case.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    let utf8 = Array(text.utf8)
    var digits: [UInt8] = []
    for (index, character) in utf8.enumerated() {
      if utf8.count == 36, [8, 13, 18, 23].contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Hex.value(of: character) else { return nil }
        digits.append(digit)
      }
    }
    func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 4 | UInt64($1) } }
    switch utf8.count {
    case 4: self = .bit16(UInt16(truncatingIfNeeded: number(digits[...])))
    case 8: self = .bit32(UInt32(truncatingIfNeeded: number(digits[...])))
    case 36: self = .bit128(high: number(digits[..<16]), low: number(digits[16...]))
    default: return nil
    }
  }

  /// The 16-bit form when this is one, or a full UUID on the Bluetooth base UUID that stands for one.
  public var assigned16: UInt16? {
    switch self {
    case .bit16(let value): value
    case .bit32(let value): UInt16(exactly: value)
    case .bit128(let high, let low):
      low == 0x8000_0080_5F9B_34FB && high & 0xFFFF_0000_FFFF_FFFF == 0x0000_0000_0000_1000
        ? UInt16(truncatingIfNeeded: high >> 32) : nil
    }
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// Upper case: four digits, eight digits, or the hyphenated form.
  public var description: String {
    func digits(_ value: UInt64, _ count: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    switch self {
    case .bit16(let value): return digits(UInt64(value), 4)
    case .bit32(let value): return digits(UInt64(value), 8)
    case .bit128(let high, let low):
      return
        "\(digits(high >> 32, 8))-\(digits(high >> 16 & 0xFFFF, 4))-\(digits(high & 0xFFFF, 4))-"
        + "\(digits(low >> 48, 4))-\(digits(low & 0xFFFF_FFFF_FFFF, 12))"
    }
  }
}
