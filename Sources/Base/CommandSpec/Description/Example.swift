/// A line that one can type, and what it is for.
public struct Example: Sendable, Equatable {
  /// The line, without a prompt.
  public var line: String
  /// What it does, in one sentence without a full stop.
  public var help: String

  /// A line with what it does.
  public init(_ line: String, _ help: String) {
    self.line = line
    self.help = help
  }
}
