import SafeText

/// What is wrong, for a person: what was being done, the reason, and what to do.
///
/// Every text in it is one line, whatever it was made of.
public struct Diagnosis: Hashable, Sendable {
  /// What was being done, or with which part: `connect`, `entry 2`; nil where the reason says it.
  public let operation: String?
  /// What happened and why, in one clause without a full stop.
  public let reason: String
  /// What to do about it; nil when there is nothing to say.
  public let remedy: Remedy?

  /// A diagnosis; what does not fit on one line is escaped.
  public init(_ reason: String, during operation: String? = nil, remedy: Remedy? = nil) {
    self.operation = operation.map(EscapedText.line)
    self.reason = EscapedText.line(reason)
    self.remedy = remedy
  }

  /// What was being done, and what happened: all but the remedy.
  public var problem: String { operation.map { "\($0): \(reason)" } ?? reason }
}

extension Diagnosis: CustomStringConvertible {
  /// All of it in one line.
  public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }
}
