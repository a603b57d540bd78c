/// A slot of a dashboard; row and column count from 0.
public struct DashboardSlot: Hashable, Comparable, Sendable {
  /// The row from the top, 0 to ``DashboardLayout/rows`` - 1.
  public let row: Int
  /// The column from the left, from 0.
  public let column: Int

  /// A slot by its row and column, both from 0 on.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// Upper ones first, then left ones.
  public static func < (left: DashboardSlot, right: DashboardSlot) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }

  func distance(to other: DashboardSlot) -> Int {
    abs(row - other.row) + abs(column - other.column)
  }
}
