/// What may be used to draw the table.
public struct TableStyle: Sendable, Equatable {
  /// Colours and other attributes.
  public var isColored = true
  /// Signs beyond ASCII.
  public var isUnicode = true

  /// Everything, unless something is said.
  public init(isColored: Bool = true, isUnicode: Bool = true) {
    self.isColored = isColored
    self.isUnicode = isUnicode
  }
}
