/// A place in a text.
public struct SourcePosition: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int
}
