/// Another manual page.
public struct ManualReference: Sendable, Equatable {
  /// The page's name, such as `btmon`.
  public var name: String
  /// Its section, 1 to 9.
  public var section: Int

  /// A page in a section of the manual.
  public init(_ name: String, section: Int = 1) {
    self.name = name
    self.section = section
  }
}
