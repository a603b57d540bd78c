/// What is known of a rule.
struct RuleState: Hashable, Sendable, Codable {
  var hash: String
  /// µs since 1970.
  var snoozedUntil: Int64?
  /// It rests for a loop until then, by boot time.
  var restsUntil: Int64?
  /// When it ran, by boot time: within the last hour.
  var runs: [Int64] = []
  /// When it last ran, by boot time.
  var lastRun: Int64?
  /// For each tracker, until when it rests.
  var cooldowns: [String: Int64] = [:]
  /// For each trigger and tracker: whether its comparison held when last known.
  var held: [String: Bool] = [:]
  /// For each trigger and tracker: since when it holds, and what began it.
  var lasting: [String: Lasting] = [:]
  /// Up to when the clock was looked at, s since 1970.
  var lookedTo: Int64?
  /// What has run by the clock, the last ones.
  var occurred: [String] = []
}
