/// What is wrong with a filter, and where.
public struct FilterError: Error, Hashable, Sendable {
  /// What is wrong: `expected ) here`.
  public let reason: String
  /// What to write instead; nil where the reason says it.
  public var remedy: String?
  /// Characters before the place.
  public let position: Int
  /// Whether it names a field that is not there, and none is near enough to be meant: a list of the
  /// fields is what helps.
  public var needsFieldList = false
}

extension FilterError: CustomStringConvertible {
  /// One line: what and what to do.
  public var description: String { reason + (remedy.map { "; \($0)" } ?? "") }
}
