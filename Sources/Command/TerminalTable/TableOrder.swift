/// The order of rows: marked ones first, then by a column, and rows that are equal there by the time
/// of their appearance, so that they keep still.
struct TableOrder: Sendable, Equatable {
  /// The place of the column.
  var column: Int
  /// Text begins with A, numbers with the greatest, ages with the latest; turned round if set.
  var isReversed = false

  /// Rows with nothing in the column stand last, whichever way round.
  func sorted(_ rows: [TableRow]) -> [TableRow] {
    let keys = rows.map { $0.value(column).key }
    let indices = rows.indices.sorted { a, b in
      if rows[a].isMarked != rows[b].isMarked { return rows[a].isMarked }
      switch (keys[a], keys[b]) {
      case (let x?, let y?) where x != y: return isReversed ? y < x : x < y
      case (nil, _?): return false
      case (_?, nil): return true
      default: return rows[a].id < rows[b].id
      }
    }
    return indices.map { rows[$0] }
  }
}
