/// The few that go first of very many that are offered, each in constant time. Of equals those go first
/// that were offered first.
struct Shortlist<Element: Sendable>: Sendable {
  private let limit: Int
  private var entries: [(rank: UInt64, element: Element)] = []
  /// What has to be exceeded, since there are enough of that rank or above.
  private var bar: UInt64?

  init(limit: Int) { self.limit = limit }

  /// Offers one.
  mutating func offer(_ element: Element, rank: UInt64) {
    if let bar, rank <= bar { return }
    entries.append((rank, element))
    if entries.count >= 2 * limit { cut() }
  }

  private mutating func cut() {
    // Sorting keeps the order of those that are equal.
    entries.sort { $0.rank > $1.rank }
    guard entries.count >= limit else { return }
    entries.removeLast(entries.count - limit)
    bar = entries.last?.rank
  }

  /// Takes them out, the first one first, and begins anew.
  mutating func take() -> [Element] {
    cut()
    defer {
      entries = []
      bar = nil
    }
    return entries.map(\.element)
  }
}
