/// Where and why a text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found.
  public let problem: String
  /// The offset of the byte where.
  public let offset: Int

  /// The problem and the offset.
  public var description: String { "\(problem) at byte \(offset)" }
}
