/// Numbers with a few decimal places, held as integers so that they print exactly.
package enum DecimalText {
  /// `value` × 10^-`digits`, without zeros at the end: (125, 2) is `1.25`, (500, 2) is `5`.
  package static func text(_ value: Int64, digits: Int) -> String {
    var (value, digits) = (value, digits)
    while digits > 0, value % 10 == 0 {
      value /= 10
      digits -= 1
    }
    guard digits > 0 else { return String(value) }
    var text = String(value.magnitude)
    if text.utf8.count <= digits {
      text = String(repeating: "0", count: digits + 1 - text.utf8.count) + text
    }
    let point = text.index(text.endIndex, offsetBy: -digits)
    return (value < 0 ? "-" : "") + text[..<point] + "." + text[point...]
  }

  /// The number as a floating-point value, for comparisons.
  package static func number(_ value: Int64, digits: Int) -> Double {
    var divisor = 1.0
    for _ in 0..<digits { divisor *= 10 }
    return Double(value) / divisor
  }
}
