import Bluetooth

/// What a filter compares a field with.
enum FilterConstant: Sendable {
  case text(String)
  case number(Double)
  case boolean(Bool)
  /// Hexadecimal digits in lower case, without separators.
  case hex([UInt8])
  case time(FilterTime)
  case pattern(RegularExpression)
  /// Members of a set, `{"a", "b"}`.
  case set([FilterConstant])
  /// Members of a set from one number to another, `{-70..-60}`.
  case range(ClosedRange<Double>)

  /// The same, with times as a person in `zone` means them.
  func meant(at now: Timestamp, in zone: some CivilZone) throws(FilterError) -> FilterConstant {
    switch self {
    case .time(let time): return .time(try time.meant(at: now, in: zone))
    case .set(let members):
      var meant: [FilterConstant] = []
      for member in members { meant.append(try member.meant(at: now, in: zone)) }
      return .set(meant)
    case .text, .number, .boolean, .hex, .pattern, .range: return self
    }
  }

  /// The digits of an address, a UUID or bytes; nil where `text` is none of them.
  static func digits(_ text: String) -> [UInt8]? {
    var digits: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: ":") && byte != UInt8(ascii: "-") {
      guard Hex.value(of: byte) != nil else { return nil }
      digits.append(lower(byte))
    }
    return digits
  }

  /// A letter in lower case.
  static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
  }
}
