import Bluetooth

/// A condition over the fields of an advertisement, as `--filter` takes it.
///
///     beacon == "ibeacon" && rssi > -70 && name ~ "Luna"
///
/// A comparison with a field that is missing is false, whatever the operator; one with a field that
/// has several values holds when it holds for one of them.
indirect enum FilterExpression: Sendable {
  case or(FilterExpression, FilterExpression)
  case and(FilterExpression, FilterExpression)
  case not(FilterExpression)
  case comparison(FilterComparison)
}

extension FilterExpression {
  /// The names of the fields it looks at, each once.
  var names: [String] {
    switch self {
    case .or(let left, let right), .and(let left, let right):
      left.names + right.names.filter { !left.names.contains($0) }
    case .not(let inner): inner.names
    case .comparison(let comparison): [comparison.name]
    }
  }

  /// Whether the condition holds for `fields`, a collector of `names`.
  func holds(_ fields: borrowing FieldCollector) -> Bool {
    switch self {
    case .or(let left, let right): left.holds(fields) || right.holds(fields)
    case .and(let left, let right): left.holds(fields) && right.holds(fields)
    case .not(let inner): !inner.holds(fields)
    case .comparison(let comparison):
      if let index = fields.names.firstIndex(of: comparison.name) {
        fields.values[index].contains(where: comparison.holds)
      } else {
        false
      }
    }
  }
}
