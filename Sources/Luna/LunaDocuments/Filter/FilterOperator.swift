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
}
