/// Why a text is not the value that was asked for.
public struct ValueProblem: Error, Sendable, Equatable {
  /// What is wrong, to follow the value in a sentence: `is out of range`.
  public var reason: String
  /// What to write instead; nil for what the reader expects in general.
  public var remedy: String?

  /// A reason, and what to write instead where that is more than the reader says of itself.
  public init(_ reason: String, remedy: String? = nil) {
    self.reason = reason
    self.remedy = remedy
  }
}
