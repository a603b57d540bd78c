/// A number that a command can end with.
public struct ExitStatus: Sendable, Equatable {
  /// The number, 0 to 255.
  public var code: UInt8
  /// What it tells.
  public var meaning: String

  /// A number with its meaning.
  public init(_ code: UInt8, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
