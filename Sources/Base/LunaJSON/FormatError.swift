/// What is wrong with a JSON document of the backend's API.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is missing, of the wrong type, or out of range.
  public let member: String
  /// What is wrong with it, to follow its name.
  public let problem: String

  /// A member and what is wrong with it.
  public init(_ member: String, _ problem: String) {
    self.member = member
    self.problem = problem
  }

  /// Member and problem.
  public var description: String { "\(member) \(problem)" }
}
