/// What the live table wants to know for its next frame.
struct TableRequest: Sendable, Equatable {
  /// The row whose details are shown.
  var details: TableRow.ID?
  /// The expression that rows are to be held against (`TableRow.passes`).
  var filter: FilterExpression?
  /// Whether the table stands still: the rows are to be held against the filter as they were.
  var isPaused = false
}
