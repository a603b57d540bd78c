/// A condition that rows are held against, by whoever gives the rows.
public protocol TableExpression: Sendable {
  /// As it was typed.
  var text: String { get }
}
