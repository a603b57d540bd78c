import LunaCore

/// How many identifiers are asked for at once. A backend looks each of them up in each of the days of a query, so few at
/// once are less work where there are many events; and many at once are fewer queries where there are few.
struct QueryPace {
  /// About three days of a tracker.
  static let first = 256

  /// How many the next query has.
  private(set) var size = first
  /// Events of the largest page after which there was another one; nil as long as none was full.
  private var full: Int?

  /// What was asked for has come, on so many pages; the first had so many events, and all together had so many.
  mutating func took(pages: Int, first: Int, events: Int) {
    if pages > 1 { full = max(full ?? 0, first) }
    if let full, full > 0, events > full {
      size = max(QueryPace.first / 4, size / ((events + full - 1) / full))
    } else if full.map({ events * 2 <= $0 }) ?? true {
      size = min(EventQuery.limit, size * 2)
    }
  }
}
