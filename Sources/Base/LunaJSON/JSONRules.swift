/// What a reader asks of a text beyond being JSON.
public struct JSONRules: Sendable {
  /// Whether an object may have a name more than once. Two readers may take another one of the values
  /// each (RFC 8259, 4).
  public var allowsDuplicateNames = true
  /// How many elements an array may have; nil for any number.
  public var elements: Int?
  /// How many levels of values there may be: `[[1]]` has three.
  public var depth = 64

  /// Nothing is asked.
  public static let none = JSONRules()

  /// For texts of strangers: each name once, and arrays of at most so many elements.
  public static func strict(elements: Int) -> JSONRules {
    JSONRules(allowsDuplicateNames: false, elements: elements)
  }
}
