public import LunaJSON

/// A value of a property, as it is known now.
public struct HomeValue: Hashable, Sendable {
  /// Which property of its device, as rules call it.
  public let name: String
  /// The value; null where nobody knows.
  public let value: JSONValue
  /// When it was said, µs since 1970; nil where that was never.
  public let at: Int64?
  /// Whether it is young enough to be relied on.
  public let isFresh: Bool

  /// A value; `at` is in µs since 1970.
  public init(name: String, value: JSONValue, at: Int64?, isFresh: Bool) {
    self.name = name
    self.value = value
    self.at = at
    self.isFresh = isFresh
  }

  /// The value as a number; nil where it is none.
  public var number: Double? { PropertyValue(value)?.number }

  /// It as JSON, without its name.
  public var json: JSONValue {
    [
      "value": value, "at": at.map(HomeTime.json) ?? .null, "fresh": .bool(isFresh),
    ]
  }
}
