public import Diagnosis

/// What is wrong with a JSON document: it is JSON, but not what is asked for.
public struct FormatError: Diagnosed, CustomStringConvertible, Hashable {
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
  public var diagnosis: Diagnosis { Diagnosis("\(member) \(problem)") }
}
