/// What the live table wants to know for its next frame.
public struct TableRequest: Sendable {
  /// The row whose details are shown.
  public var details: TableRow.ID?
  /// The expression that rows are to be held against (``TableRow/passes``), as the language read it.
  public var filter: (any TableExpression)?
  /// Whether the table stands still: the rows are to be held against the filter as they were.
  public var isPaused = false
}

extension TableRequest: Equatable {
  /// Equal when the same is wanted: expressions that are typed alike mean the same.
  public static func == (left: TableRequest, right: TableRequest) -> Bool {
    left.details == right.details && left.filter?.text == right.filter?.text
      && left.isPaused == right.isPaused
  }
}
