/// What a command takes from the section of another one in a configuration file, where its own says
/// nothing: one that looks at what the other does.
public struct BorrowedKeys: Sendable, Equatable {
  /// The words of the other command.
  public var section: [String]
  /// The long options that mean the same for both.
  public var keys: Set<String>

  /// Keys of a section.
  public init(from section: [String], _ keys: Set<String>) {
    self.section = section
    self.keys = keys
  }
}
