/// Which columns a terminal of some width has room for, and where they stand.
struct TableLayout: Sendable, Equatable {
  struct Cell: Sendable, Equatable {
    /// The place of the column among all.
    var column: Int
    /// The first character position, from 0.
    var start: Int
    var width: Int
  }

  /// No column without a width of its own becomes wider.
  private static let widest = 40

  /// The columns that are shown.
  let cells: [Cell]

  /// Position 0 is the mark of the selected row, 1 is free; the last position stays empty, since a
  /// terminal may wrap there.
  ///
  /// - Parameter sorted: The column that the rows are sorted by: it stays as long as those that are
  ///   kept, with its arrow.
  init(_ all: [TableColumn], width: Int, sorted: Int? = nil) {
    var columns = Array(all.indices)
    func free() -> Int {
      width - 2 - columns.count - columns.compactMap { all[$0].width }.reduce(0, +)
    }
    // What goes first when there is too little room.
    let order = columns.compactMap { place in all[place].yields.map { (place, $0) } }
      .sorted { $0.1.rank < $1.1.rank }
    let isKept = { (place: Int) in all[place].isKept || place == sorted }
    for (place, yield) in order where !isKept(place) && free() < yield.enough {
      columns.removeAll { $0 == place }
    }
    for (place, _) in order where isKept(place) && free() < 10 {
      columns.removeAll { $0 == place }
    }
    var rest = max(1, free())
    var sharing = columns.count { all[$0].width == nil }
    var cells: [Cell] = []
    var start = 2
    for place in columns {
      var width = all[place].width ?? rest
      if all[place].width == nil, sharing > 1 {
        // The first of two, a little less than half.
        width = min(24, max(1, rest * 9 / 20, min(15, rest - 12)))
        (rest, sharing) = (rest - width, sharing - 1)
      }
      if all[place].width == nil { width = min(width, Self.widest) }
      cells.append(Cell(column: place, start: start, width: width))
      start += width + 1
    }
    self.cells = cells
  }
}
