public import LunaJSON

/// A field that became another; null stands for no value.
public struct FieldChange: Hashable, Sendable {
  /// The name of the field, as in the JSON of the record.
  public let field: String
  /// Its value before; null for none.
  public let before: JSONValue
  /// Its value since; null for none.
  public let after: JSONValue

  /// A change; null is no value, before or after.
  public init(field: String, before: JSONValue, after: JSONValue) {
    self.field = field
    self.before = before
    self.after = after
  }
}
