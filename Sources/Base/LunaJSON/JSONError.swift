public import Diagnosis

/// Where and why a text is not JSON, or breaks a rule of its reader.
public struct JSONError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: Sendable {
    /// It is not JSON.
    case malformed
    /// An object has a name twice.
    case duplicateName
    /// An array has more elements than are allowed.
    case tooManyElements
  }

  /// The kind of failure.
  public let kind: Kind
  /// What is wrong there, without what the text says: it may be secret.
  public let problem: String
  /// The offset of the byte where.
  public let offset: Int

  /// The problem and the offset.
  public var diagnosis: Diagnosis { Diagnosis("\(problem) at byte \(offset)") }
}
