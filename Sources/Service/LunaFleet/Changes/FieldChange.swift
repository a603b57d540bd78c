public import LunaJSON

/// A field that became another; null stands for no value.
public struct FieldChange: Hashable, Sendable {
  /// The field.
  public let field: String
  /// What it was.
  public let before: JSONValue
  /// What it is since.
  public let after: JSONValue

  /// A change.
  public init(field: String, before: JSONValue, after: JSONValue) {
    self.field = field
    self.before = before
    self.after = after
  }
}
