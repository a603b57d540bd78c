/// How a value is compared.
enum SearchComparison: String, CaseIterable, Sendable {
  // Longer ones first: they are looked for in this order.
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case greater = ">"
  case equal = ""

  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .atMost: left <= right
    case .atLeast: left >= right
    case .less: left < right
    case .greater: left > right
    case .equal: left == right
    }
  }
}
