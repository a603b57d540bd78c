/// A condition over the fields of a document, as a person writes it.
///
///     beacon == "ibeacon" && rssi > -70 && name ~ "Luna"
///
/// A comparison with a field that is missing is false, whatever the operator. One with a field that
/// has several values holds when it holds for one of them; `!=` and `not in` when they hold for all.
public struct FilterExpression: Sendable {
  /// A part of the condition. Chains of `&&` and `||` are one level, so that the depth is what the
  /// parser bounds.
  indirect enum Node: Sendable {
    case any([Node])
    case all([Node])
    case not(Node)
    /// Whether a field is there, by its index.
    case has(Int)
    case comparison(FilterComparison)
  }

  /// As it was written.
  public let text: String
  /// The fields it looks at, each once.
  package let fields: [FieldReference]
  let root: Node
  /// Whether it is one word that is searched in names.
  package var isWord: Bool { searched != nil }
  /// What a person should know of it; nil for nothing. All names are compared for that: it is not for every key
  /// that somebody presses.
  package var note: String? { searched.flatMap { $0.word.note(in: $0.catalog) } }
  /// The word that it is, and the fields among which.
  var searched: (word: FilterWord, catalog: FieldCatalog)?

  /// Whether the condition holds for what a collector of `fields` has.
  package func holds(_ values: borrowing FieldCollector) -> Bool {
    FilterExpression.holds(root, values)
  }

  private static func holds(_ node: Node, _ values: borrowing FieldCollector) -> Bool {
    switch node {
    case .any(let nodes):
      for node in nodes where holds(node, values) { return true }
      return false
    case .all(let nodes):
      for node in nodes where !holds(node, values) { return false }
      return true
    case .not(let inner): return !holds(inner, values)
    case .has(let field): return values.present[field]
    case .comparison(let comparison): return comparison.holds(values.values[comparison.field])
    }
  }
}

extension FilterExpression: Equatable {
  /// What is written alike means the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.text == right.text && left.fields == right.fields
  }
}
