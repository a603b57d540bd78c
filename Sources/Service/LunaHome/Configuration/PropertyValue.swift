public import LunaJSON

/// A value of a property.
public enum PropertyValue: Hashable, Sendable {
  /// true or false.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A text or a word.
  case text(String)

  /// Reads a value; nil for null, lists and objects.
  public init?(_ json: JSONValue) {
    switch json {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .number(Double(value))
    case .real(let value): self = .number(value)
    case .string(let value): self = .text(value)
    case .null, .array, .object: return nil
    }
  }

  /// The value as JSON: a whole number without a fraction.
  public var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .number(let value): Int64(exactly: value).map { .integer($0) } ?? .real(value)
    case .text(let value): .string(value)
    }
  }

  /// The number; nil for what is none.
  var number: Double? { if case .number(let value) = self { value } else { nil } }

  /// Whether it is another value by more than a little.
  func differs(from other: PropertyValue, by least: Double) -> Bool {
    guard let one = number, let two = other.number else { return self != other }
    return least > 0 ? abs(one - two) >= least : one != two
  }
}
