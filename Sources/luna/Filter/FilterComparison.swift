/// One comparison of a filter: a field, an operator, a constant.
struct FilterComparison: Sendable {
  enum Operator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case matches = "~"
  }

  /// What stands right of the operator.
  enum Constant: Sendable {
    case text(String)
    case number(Double)
    case boolean(Bool)
    case pattern(RegularExpression)
  }

  let name: String
  let op: Operator
  let constant: Constant

  /// Whether it holds for one value. Values of another type than the constant's never compare.
  func holds(_ value: FieldValue) -> Bool {
    switch (value, constant) {
    case (.text(let left), .text(let right)): compare(left, right)
    case (.number(let left), .number(let right)): compare(left, right)
    case (.boolean(let left), .boolean(let right)):
      op == .equal ? left == right : op == .notEqual && left != right
    case (_, .pattern(let pattern)): pattern.matches(value.columnText)
    default: false
    }
  }

  private func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch op {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .matches: false
    }
  }
}
