/// Numbers as text with a fixed number of digits, without an exponent.
enum DecimalNumber {
  static func text(_ value: Double, digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    let scaled = Int64((value * factor).rounded())
    let magnitude = String(scaled.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - magnitude.count)) + magnitude
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }

  /// A coordinate as exact as reports are.
  static func degrees(_ value: Double) -> String { text(value, digits: 7) }
}
