import Synchronization

/// Keeps the lines of one `LineCache`, or of those of several threads: what one of them has printed twice, all know.
final class LineStore: Sendable {
  private static let seenCount = 1 << 15

  private struct State: Sendable {
    var table = LineTable()
    /// What was asked for and not found, as 16 bits of its hash at the place of 15 others.
    var seen = [UInt16](repeating: 0, count: LineStore.seenCount)
  }

  /// Whether several threads have it.
  private let isShared: Bool
  private let state = Mutex(State())

  init(isShared: Bool = false) { self.isShared = isShared }

  /// What is kept now.
  var table: LineTable { state.withLock { $0.table } }

  /// Whether the line of `key`, which is not there, is worth keeping: it was asked for before.
  func isWorthKeeping(_ key: LineCache.Key) -> Bool {
    let hash = key.hash
    let place = Int(truncatingIfNeeded: hash >> 16) & (LineStore.seenCount - 1)
    let mark = UInt16(truncatingIfNeeded: hash >> 48) | 1
    return state.withLock { state in
      if state.seen[place] == mark { return true }
      state.seen[place] = mark
      return false
    }
  }

  /// Keeps a line under `key`.
  ///
  /// - Returns: What is kept now. Those who still look into another table see that one only.
  func insert(_ key: LineCache.Key, _ line: LineCache.Line) -> LineTable {
    state.withLock { state in
      if !state.table.insert(key, line) {
        if isShared { state.table = LineTable() } else { state.table.clear() }
        _ = state.table.insert(key, line)
      }
      return state.table
    }
  }
}
