import SafeText

/// What is wrong with the text of a location source, to follow that text.
public struct LocationChoiceError: Error, Hashable, Sendable {
  /// `has no host`
  public let problem: String

  init(_ problem: String) { self.problem = EscapedText.line(problem) }
}
