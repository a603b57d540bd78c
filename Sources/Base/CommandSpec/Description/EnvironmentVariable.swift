/// A variable of the environment that a command looks at.
public struct EnvironmentVariable: Sendable, Equatable {
  /// The name, such as `NO_COLOR`.
  public var name: String
  /// What it changes.
  public var help: String

  /// A variable with what it changes.
  public init(_ name: String, _ help: String) {
    self.name = name
    self.help = help
  }
}
