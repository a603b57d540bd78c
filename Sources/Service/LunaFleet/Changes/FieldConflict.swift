public import LunaJSON

/// A field that two people gave different values.
public struct FieldConflict: Hashable, Sendable {
  /// The name of the field, as in the JSON of the record.
  public let field: String
  /// What both saw; null where that is not known any more.
  public let base: JSONValue
  /// What it is now.
  public let theirs: JSONValue
  /// What was to be.
  public let yours: JSONValue

  /// The three values as JSON.
  public var json: JSONValue { ["base": base, "theirs": theirs, "yours": yours] }
}
