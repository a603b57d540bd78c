/// Lengths of time as one types them.
enum DurationText {
  private static let units: [(name: String, attoseconds: Int128)] = [
    ("us", 1_000_000_000_000), ("ms", 1_000_000_000_000_000), ("s", 1_000_000_000_000_000_000),
    ("m", 60_000_000_000_000_000_000), ("min", 60_000_000_000_000_000_000),
    ("h", 3_600_000_000_000_000_000_000), ("d", 86_400_000_000_000_000_000_000),
  ]
  /// A hundred years: more is a slip of the finger, and the sums below cannot overflow.
  private static let longest: Int128 = 36_525 * 86_400_000_000_000_000_000_000

  /// Reads `10s`, `500ms`, `1h30m`, `2.5m`, or `10` for seconds; nil for anything else and for
  /// more than a hundred years.
  static func parse(_ text: String) -> Duration? {
    var rest = text.utf8[...]
    var total: Int128 = 0
    var parts = 0
    while !rest.isEmpty {
      let number = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
      rest = rest.dropFirst(number.count)
      let letters = rest.prefix { !isDigit($0) && $0 != UInt8(ascii: ".") }
      rest = rest.dropFirst(letters.count)
      guard let unit = unit(String(Substring(letters)), alone: parts == 0 && rest.isEmpty),
        let value = multiply(number, by: unit)
      else { return nil }
      total += value
      parts += 1
      if total > longest { return nil }
    }
    return parts == 0 ? nil : Duration(attoseconds: total)
  }

  private static func unit(_ name: String, alone: Bool) -> Int128? {
    units.first { $0.name == (name.isEmpty && alone ? "s" : name) }?.attoseconds
  }

  /// A decimal number times a unit; nil when it is not one, or is too long to be meant.
  private static func multiply(_ number: Substring.UTF8View, by unit: Int128) -> Int128? {
    let halves = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard halves.count <= 2, let whole = halves.first, !whole.isEmpty, whole.count <= 10 else {
      return nil
    }
    var value: Int128 = 0
    for digit in whole { value = value * 10 + Int128(digit - UInt8(ascii: "0")) }
    value *= unit
    guard halves.count == 2 else { return value }
    guard !halves[1].isEmpty, halves[1].count <= 9 else { return nil }
    var place = unit
    for digit in halves[1] {
      place /= 10
      value += Int128(digit - UInt8(ascii: "0")) * place
    }
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte
  }
}
