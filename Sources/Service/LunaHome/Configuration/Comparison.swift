import LunaJSON

/// What a property is compared with.
enum Comparison: Hashable, Sendable {
  case equal(PropertyValue)
  case above(Double)
  case below(Double)
  /// Every change.
  case changes

  init?(_ node: SourceNode) {
    if let value = node["is"].flatMap({ PropertyValue($0.json) }) {
      self = .equal(value)
    } else if let limit = node["above"]?.number {
      self = .above(limit)
    } else if let limit = node["below"]?.number {
      self = .below(limit)
    } else if node["changes"]?.bool == true {
      self = .changes
    } else {
      return nil
    }
  }

  /// Whether it holds; nil for a value that cannot be compared.
  ///
  /// - Parameters:
  ///   - held: whether it held before.
  ///   - hysteresis: how far a value must come back until it holds no more.
  func holds(_ value: PropertyValue, held: Bool = false, hysteresis: Double = 0) -> Bool? {
    switch self {
    case .equal(let other): value == other
    case .above(let limit): value.number.map { $0 > (held ? limit - hysteresis : limit) }
    case .below(let limit): value.number.map { $0 < (held ? limit + hysteresis : limit) }
    case .changes: nil
    }
  }

  /// It in a record.
  var text: String {
    switch self {
    case .equal(let value): "is \(value.json)"
    case .above(let limit): "above \(PropertyValue.number(limit).json)"
    case .below(let limit): "below \(PropertyValue.number(limit).json)"
    case .changes: "changes"
    }
  }
}
