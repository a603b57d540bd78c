/// Whether a tracker is heard.
struct PresenceState: Hashable, Sendable, Codable {
  /// nil before anything is known.
  var isPresent: Bool?
  /// Nobody could have heard it, or it was loaded.
  var isUnknown = false
  /// The last frame that was strong enough to come.
  var candidate: Int64?
  /// The last frame that was strong enough to stay.
  var heard: Int64?
  /// From when on silence counts.
  var silentSince: Int64?
  /// The last times between two frames, µs.
  var intervals: [Int64] = []

  /// How long silence lasts until the tracker is away.
  var outAfter: Int64 {
    let sorted = intervals.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    return max(120_000_000, 10 * median)
  }
}
