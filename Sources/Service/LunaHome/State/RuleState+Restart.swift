extension RuleState {
  /// Goes on in a new process: what is to rest goes on resting, what has to last begins anew.
  mutating func restart(shift: Int64, now: Int64) {
    restsUntil = restsUntil.map { $0 + shift }
    lastRun = lastRun.map { $0 + shift }
    runs = runs.map { $0 + shift }
    for tracker in cooldowns.keys.sorted() { cooldowns[tracker, default: 0] += shift }
    for key in lasting.keys.sorted() { lasting[key]?.since = now }
  }
}
