import LunaWatch

/// What the watch of a home has learned, for the process after it.
struct HomeWatchMemory: Codable, Sendable {
  /// Since when it listens, µs since 1970.
  let since: Int64?
  /// The trips, and what came along.
  let engine: WatchMemory
}
