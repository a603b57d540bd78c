/// What is known of a tracker.
struct TrackerState: Hashable, Sendable, Codable {
  var places: [String: PlaceState] = [:]
  /// The last fix that was used.
  var fix: Fix?
  /// When that was used, by boot time.
  var fixedAt: Int64?
  /// A fix that was too fast to be believed alone.
  var doubtful: Fix?
  /// Whether the next fix is the first one after a restart.
  var isRestarted = false
  /// By the least signal that counts.
  var presence: [Int: PresenceState] = [:]
  var properties: [String: PropertyState] = [:]
  /// The signals of the last seconds.
  var signals: [Signal] = []

  /// Keeps the signals of five seconds, 64 at most.
  mutating func hear(_ signal: Signal) {
    signals.append(signal)
    let old = signals.prefix { signal.boot - $0.boot > 5_000_000 }.count
    signals.removeFirst(max(old, signals.count - 64))
  }
}
