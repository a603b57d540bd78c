/// Whose query is next: those of owners in the order in which they came, but nobody has more than a share of the
/// connections, so that one who fetches years on many connections leaves the others theirs.
struct PostgreSQLQueryTurns<Query: Sendable>: Sendable {
  /// A query that waits.
  private struct Waiting: Sendable {
    let owner: String
    let query: Query
  }

  /// How many of one owner may run at once.
  let share: Int
  /// How many may wait.
  let limit: Int
  private var waiting: [Waiting] = []
  private var running: [String: Int] = [:]

  init(share: Int, limit: Int) {
    self.share = share
    self.limit = limit
  }

  /// Takes a query.
  ///
  /// - Returns: false when too many wait.
  mutating func add(_ query: Query, of owner: String) -> Bool {
    guard waiting.count < limit else { return false }
    waiting.append(Waiting(owner: owner, query: query))
    return true
  }

  /// The next one that may run, which it does from now on; ``end(of:)`` ends it.
  mutating func next() -> (owner: String, query: Query)? {
    guard
      let index = waiting.firstIndex(where: { running[$0.owner, default: 0] < share })
    else { return nil }
    let next = waiting.remove(at: index)
    running[next.owner, default: 0] += 1
    return (next.owner, next.query)
  }

  /// One of an owner has ended.
  mutating func end(of owner: String) {
    let left = running[owner, default: 1] - 1
    running[owner] = left > 0 ? left : nil
  }
}
