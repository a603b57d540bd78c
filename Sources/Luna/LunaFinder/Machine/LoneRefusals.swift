/// The events that were refused all by themselves. Who says that may be a proxy on the way which takes
/// nothing at present: an event is given up only when others were taken meanwhile.
struct LoneRefusals: Sendable {
  private struct Entry {
    var count = 0
    let first: Duration
    var last: Duration
    /// Whether the backend has taken others since the first time.
    var haveOthersPassed = false
    /// From when on it is tried again; nil until others have passed, or nothing else waits.
    var due: Duration?
  }

  /// How often, and within how long at least, before an event is given up.
  static let limit = 3
  static let span: Duration = .seconds(3600)
  /// How long one waits that was refused again after others had passed.
  static let pause: Duration = .seconds(1200)
  /// How many are remembered; more are tried as if they had never been refused.
  private static let capacity = 4096

  private var entries: [Int64: Entry] = [:]

  /// Those that go by themselves, and not with others.
  var all: Set<Int64> { Set(entries.keys) }

  /// The one whose turn it is.
  func due(at elapsed: Duration) -> Int64? {
    entries.filter { $0.value.due.map { $0 <= elapsed } ?? false }
      .min { ($0.value.last, $0.key) < ($1.value.last, $1.key) }?.key
  }

  /// When the first of them has its turn.
  var firstDue: Duration? { entries.values.compactMap(\.due).min() }

  /// An event was refused by itself.
  ///
  /// - Returns: whether it is given up.
  mutating func refuse(_ id: Int64, at elapsed: Duration) -> Bool {
    guard entries[id] != nil || entries.count < LoneRefusals.capacity else { return false }
    var entry = entries[id] ?? Entry(first: elapsed, last: elapsed)
    entry.count += 1
    entry.last = elapsed
    entry.due = entry.haveOthersPassed ? elapsed + LoneRefusals.pause : nil
    let isGivenUp =
      entry.count >= LoneRefusals.limit && elapsed - entry.first >= LoneRefusals.span
      && entry.haveOthersPassed
    entries[id] = isGivenUp ? nil : entry
    return isGivenUp
  }

  /// Events were taken: now it shows whose fault it was.
  mutating func pass(at elapsed: Duration) {
    for id in entries.keys {
      entries[id]?.haveOthersPassed = true
      if entries[id]?.due == nil { entries[id]?.due = elapsed }
    }
  }

  /// Nothing else waits: their turn has come, one after the other.
  mutating func letGo(at elapsed: Duration) {
    guard
      let first = entries.filter({ $0.value.due == nil })
        .min(by: { ($0.value.last, $0.key) < ($1.value.last, $1.key) })?.key
    else { return }
    entries[first]?.due = elapsed
  }

  /// One has left the queue.
  mutating func forget(_ id: Int64) { entries[id] = nil }
}
