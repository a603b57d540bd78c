/// How a filter compares a field with a constant.
enum FilterOperator: String, CaseIterable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
  case matches = "~"
  case isIn = "in"
  case isNotIn = "not in"

  /// Whether it asks for order.
  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .matches, .isIn, .isNotIn: false
    }
  }

  /// Whether it asks that no value be equal.
  var isNegative: Bool { self == .notEqual || self == .isNotIn }
}
