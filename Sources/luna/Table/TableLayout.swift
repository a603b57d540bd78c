/// Which columns a terminal of some width has room for, and where they stand.
struct TableLayout: Sendable, Equatable {
  struct Cell: Sendable, Equatable {
    var column: TableColumn
    /// The first character position, from 0.
    var start: Int
    var width: Int
  }

  let cells: [Cell]

  /// Position 0 is the mark of the selected row, 1 is free; the last position stays empty, since a
  /// terminal may wrap there.
  ///
  /// - Parameters:
  ///   - renamed: Columns that a command uses for something of its own: they stay longest.
  ///   - sorted: The column that the rows are sorted by: it stays as long as them, with its arrow.
  init(width: Int, renamed: Set<TableColumn> = [], sorted: TableColumn? = nil) {
    var columns = TableColumn.allCases.filter { $0 != .extra || renamed.contains($0) }
    let kept = renamed.union(sorted.map { [$0] } ?? [])
    // What goes first when there is too little room.
    let order: [(TableColumn, enough: Int)] = [
      (.addressDetail, 38), (.packets, 38), (.trend, 36), (.rate, 22), (.extra, 22), (.name, 20),
      (.seen, 14), (.address, 10), (.signal, 4),
    ]
    let usual = order.filter { !kept.contains($0.0) }
    let last = order.filter { kept.contains($0.0) }.map { ($0.0, enough: 10) }
    for (column, enough) in usual + last where Self.free(columns, width) < enough {
      columns.removeAll { $0 == column }
    }
    let free = max(1, Self.free(columns, width))
    let kind = columns.contains(.name) ? min(24, max(1, free * 9 / 20, min(15, free - 12))) : free
    var cells: [Cell] = []
    var start = 2
    for column in columns {
      let width = column.fixedWidth ?? (column == .kind ? min(kind, 40) : min(free - kind, 40))
      cells.append(Cell(column: column, start: start, width: width))
      start += width + 1
    }
    self.cells = cells
  }

  /// What is left for the columns that have no width of their own.
  private static func free(_ columns: [TableColumn], _ width: Int) -> Int {
    width - 2 - columns.count - columns.compactMap(\.fixedWidth).reduce(0, +)
  }
}
