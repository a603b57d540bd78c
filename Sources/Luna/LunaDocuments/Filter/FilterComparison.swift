import Bluetooth
import LunaCore

/// One comparison of a filter: a field, an operator, a constant.
struct FilterComparison: Sendable {
  /// The index of the field in the filter's fields.
  let field: Int
  /// Which bytes of the field are compared; nil for all.
  var bytes: ByteRange?
  let op: FilterOperator
  var constant: FilterConstant

  /// Whether it holds for the values of the field. Without a value nothing holds.
  func holds(_ values: [FieldValue]) -> Bool {
    guard bytes == nil else {
      return compare(values.compactMap { $0.bytes(bytes) })
    }
    return compare(values)
  }

  private func compare(_ values: [FieldValue]) -> Bool {
    guard !values.isEmpty else { return false }
    switch op {
    case .notEqual, .isNotIn:
      return values.allSatisfy { !FilterComparison.equal($0, constant) }
    case .equal, .isIn:
      return values.contains { FilterComparison.equal($0, constant) }
    case .matches:
      guard case .pattern(let pattern) = constant else { return false }
      return values.contains { value in
        if case .hex(let text) = value { return pattern.matches(text, ignoringCase: true) }
        return pattern.matches(value.columnText)
      }
    case .less: return values.contains { order($0).map { $0 < 0 } ?? false }
    case .lessOrEqual: return values.contains { order($0).map { $0 <= 0 } ?? false }
    case .greater: return values.contains { order($0).map { $0 > 0 } ?? false }
    case .greaterOrEqual: return values.contains { order($0).map { $0 >= 0 } ?? false }
    }
  }

  private static func equal(_ value: FieldValue, _ constant: FilterConstant) -> Bool {
    switch (value, constant) {
    case (_, .set(let members)): members.contains { equal(value, $0) }
    case (.number(let left), .range(let range)): range.contains(left)
    case (.text(let left), .text(let right)): left == right
    case (.text(let left), .time(let right)): TimeParser.parse(left) == right.moment
    case (.number(let left), .number(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.hex(let left), .hex(let right)): digits(left).elementsEqual(right)
    case (.company(let left), .text(let right)): left == right
    default: false
    }
  }

  /// Below zero where the value is less, above where it is greater; nil where they do not compare.
  private func order(_ value: FieldValue) -> Int? {
    switch (value, constant) {
    case (.text(let left), .text(let right)), (.company(let left), .text(let right)):
      Self.order(left, right)
    case (.text(let left), .time(let right)):
      TimeParser.parse(left).map { Self.order($0.microseconds, right.moment.microseconds) }
    case (.number(let left), .number(let right)): Self.order(left, right)
    case (.hex(let left), .hex(let right)):
      Self.digits(left).lexicographicallyPrecedes(right)
        ? -1 : Self.digits(left).elementsEqual(right) ? 0 : 1
    default: nil
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// The digits alone, in lower case.
  private static func digits(_ text: String) -> some Sequence<UInt8> {
    text.utf8.lazy.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "-") }
      .map(FilterConstant.lower)
  }
}

extension FieldValue {
  /// Some of the bytes; nil where they are not all there, or where this is no bytes.
  fileprivate func bytes(_ range: ByteRange?) -> FieldValue? {
    guard let range, case .hex(let text) = self, let digits = FilterConstant.digits(text),
      let bytes = range.bounds(in: digits.count / 2)
    else { return nil }
    return .hex(
      String(decoding: digits[(bytes.lowerBound * 2)..<(bytes.upperBound * 2)], as: UTF8.self))
  }
}
