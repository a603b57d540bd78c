// Values as they are written down in Swift.

extension JSONValue: ExpressibleByStringLiteral {
  /// A ``string(_:)`` as it is written.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// An ``integer(_:)``; a literal with a fraction is written `.real(0.5)`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// A ``bool(_:)``, `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// An ``array(_:)`` of these, in their order.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object, its members in the order in which they are written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object.append(name, value) }
    self = .object(object)
  }
}
