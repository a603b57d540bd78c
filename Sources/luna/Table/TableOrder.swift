/// The order of rows: trackers first, then by a column, and rows that are equal there by the time
/// of their appearance, so that they keep still.
struct TableOrder: Sendable, Equatable {
  var column = TableColumn.signal
  /// Text begins with A, numbers with the greatest, "seen" with the latest; turned round if set.
  var isReversed = false

  func sorted(_ rows: [TableRow]) -> [TableRow] {
    switch column {
    case .kind: sorted(rows) { $0.kind.isEmpty ? nil : $0.kind.lowercased() }
    case .name: sorted(rows) { $0.name?.lowercased() }
    case .address: sorted(rows) { $0.address.isEmpty ? nil : $0.address }
    case .addressDetail: sorted(rows) { $0.addressDetail }
    case .signal, .trend: sorted(rows) { Self.strength($0).map { -$0 } }
    case .packets: sorted(rows) { -$0.packets }
    case .rate: sorted(rows) { -$0.rate }
    case .extra: sorted(rows) { $0.extra }
    case .seen: sorted(rows) { $0.lastSeen }
    }
  }

  /// Rows without a key stand last, whichever way round.
  private func sorted<Value: Comparable>(
    _ rows: [TableRow], by key: (TableRow) -> Value?
  ) -> [TableRow] {
    let keys = rows.map(key)
    let indices = rows.indices.sorted { a, b in
      if rows[a].isTracker != rows[b].isTracker { return rows[a].isTracker }
      switch (keys[a], keys[b]) {
      case (let x?, let y?) where x != y: return isReversed ? y < x : x < y
      case (nil, _?): return false
      case (_?, nil): return true
      default: return rows[a].id < rows[b].id
      }
    }
    return indices.map { rows[$0] }
  }

  /// The mean of the last eight values in steps of 3 dB: rows that are about equally strong should
  /// not change places all the time.
  private static func strength(_ row: TableRow) -> Int? {
    let last = row.rssiHistory.suffix(8)
    guard !last.isEmpty else { return row.rssi.map { $0 / 3 } }
    return last.reduce(0) { $0 + Int($1) } / (last.count * 3)
  }
}
