/// What is known of a tracker.
struct TrackerState: Hashable, Sendable, Codable {
  var places: [String: PlaceState] = [:]
  /// The last fix that was used.
  var fix: Fix?
  /// The last one that rules were told, where some wait for it.
  var told: Fix?
  /// When the last fix was used, by boot time.
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

  /// Takes a fix that is believed.
  ///
  /// - Parameters:
  ///   - boot: boot time.
  ///   - all: the places that there are.
  mutating func use(_ fix: Fix, at boot: Int64, among all: [Place]) -> PlaceChanges {
    self.fix = fix
    fixedAt = boot
    let isFirst = isRestarted
    isRestarted = false
    var changes = PlaceChanges()
    for place in all {
      guard let side = place.says(fix) else {
        if let old = places[place.id] { changes.next = min(changes.next, old.due(place)) }
        continue
      }
      guard var old = places[place.id], old.shape == place.shape else {
        // The first answer, also after an edit, is no event.
        places[place.id] = PlaceState(shape: place.shape, isInside: side)
        continue
      }
      if side == old.isInside {
        // That of most places, of which nothing is to be kept.
        guard old.since != nil || old.report != nil else { continue }
        old.since = nil
        old.report = nil
      } else {
        let after = side ? place.enterAfter : place.leaveAfter
        if old.since == nil {
          old.since = boot
          old.report = fix.report
          old.isLate = isFirst
        }
        if old.report != fix.report || after.microseconds == 0 {
          changes.crossings.append(
            HomeEngine.Crossing(place: place, isInside: side, isLate: old.isLate))
        } else {
          changes.next = min(changes.next, old.due(place))
          changes.due = min(changes.due, old.due(place))
        }
      }
      places[place.id] = old
    }
    return changes
  }

  /// Keeps the signals of five seconds, 64 at most.
  mutating func hear(_ signal: Signal) {
    signals.append(signal)
    let old = signals.prefix { signal.boot - $0.boot > 5_000_000 }.count
    signals.removeFirst(max(old, signals.count - 64))
  }
}
