package import Bluetooth

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

    /// The same, with times as a person in `zone` means them.
    func meant(at now: Timestamp, in zone: some CivilZone) throws(FilterError) -> Node {
      switch self {
      case .any(let nodes): return .any(try Node.meant(nodes, at: now, in: zone))
      case .all(let nodes): return .all(try Node.meant(nodes, at: now, in: zone))
      case .not(let inner): return .not(try inner.meant(at: now, in: zone))
      case .has: return self
      case .comparison(var comparison):
        comparison.constant = try comparison.constant.meant(at: now, in: zone)
        return .comparison(comparison)
      }
    }

    private static func meant(
      _ nodes: [Node], at now: Timestamp, in zone: some CivilZone
    ) throws(FilterError) -> [Node] {
      var meant: [Node] = []
      for node in nodes { meant.append(try node.meant(at: now, in: zone)) }
      return meant
    }
  }

  /// As it was written.
  public let text: String
  /// The fields it looks at, each once.
  package let fields: [FieldReference]
  private(set) var root: Node
  /// What a person should know of it; nil for nothing. All names are compared for that: it is not for every key
  /// that somebody presses.
  package var note: String? { searched.flatMap { $0.word.note(in: $0.catalog) } }
  /// The word that it is, and the fields among which.
  var searched: (word: FilterWord, catalog: FieldCatalog)?

  /// The same, with times as a person means them: one without a zone is on the clocks of `zone`, and `today` is the
  /// day there. Until this is called they are in UTC, as of the reading.
  ///
  /// - Throws: ``FilterError`` where clocks never showed one of them, or twice.
  package func meant(
    at now: Timestamp, in zone: some CivilZone
  ) throws(FilterError) -> FilterExpression {
    var filter = self
    filter.root = try root.meant(at: now, in: zone)
    return filter
  }

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
