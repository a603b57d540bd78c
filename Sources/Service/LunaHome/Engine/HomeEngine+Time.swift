// What is due, by the time since the start and by the clock on the wall.

extension HomeEngine {
  private static let lateSeconds: Int64 = 600
  private static let toldMissed = 10
  /// So many occurrences are remembered, so that none happens twice when the clock goes back.
  private static let remembered = 1000

  /// A step is needed at a boot time.
  mutating func due(at time: Int64) { state.nextDue = min(state.nextDue, time) }

  /// Everything that is due before a boot time; what is due later asks for its step anew.
  mutating func runDue(before limit: Int64) {
    // What happens here may have something follow at once; not for ever.
    for _ in 0..<8 {
      state.nextDue = .max
      runPresence(upTo: limit)
      runPlaces(upTo: limit)
      runProperties(upTo: limit)
      runLasting(upTo: limit)
      runWaiting(upTo: limit)
      if state.nextDue >= limit { return }
    }
  }

  /// The rules that begin by the clock.
  mutating func runClock() {
    let wall = now.seconds
    if wall < state.nextOccurrence, state.last.map({ now.wall >= $0.wall }) ?? true { return }
    state.nextOccurrence = .max
    for place in index.times {
      let rule = configuration.rules[place.rule]
      guard case .time(let trigger) = rule.triggers[place.trigger] else { continue }
      let from = min(state.rules[rule.id]?.lookedTo ?? wall, wall)
      let occurrences = trigger.occurrences(after: from, upTo: wall)
      // After a long absence the last ones that were missed are told, not all.
      let missed = occurrences.prefix { wall - $0.at > HomeEngine.lateSeconds }
      for occurrence in missed.suffix(HomeEngine.toldMissed) + occurrences.dropFirst(missed.count) {
        occur(occurrence, rule, place.trigger)
      }
    }
    for place in index.times {
      let rule = configuration.rules[place.rule]
      guard case .time(let trigger) = rule.triggers[place.trigger] else { continue }
      state.rules[rule.id]?.lookedTo = wall
      if let next = trigger.next(after: wall) {
        state.nextOccurrence = min(state.nextOccurrence, next)
      }
    }
  }

  private mutating func occur(
    _ occurrence: TimeTrigger.Occurrence, _ rule: Rule, _ trigger: Int
  ) {
    let late = now.seconds - occurrence.at
    guard late <= HomeEngine.lateSeconds else {
      effects.append(.missed(rule: rule.id, at: occurrence.at, wall: now.wall))
      return
    }
    let key = "\(trigger) \(occurrence.key)"
    guard var occurred = state.rules[rule.id]?.occurred, !occurred.contains(key) else { return }
    occurred.append(key)
    if occurred.count > HomeEngine.remembered { occurred.removeFirst() }
    state.rules[rule.id]?.occurred = occurred
    start(
      rule,
      HomeCause(
        trigger: "time", input: state.input, tracker: nil, detail: occurrence.key, late: late > 60))
  }
}
