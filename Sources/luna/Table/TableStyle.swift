/// What may be used to draw the table.
struct TableStyle: Sendable, Equatable {
  /// Colours and other attributes.
  var isColored = true
  /// Signs beyond ASCII.
  var isUnicode = true
}
