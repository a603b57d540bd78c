extension TrackerState {
  /// Goes on in a new process: boot times are moved, and what has to last begins anew.
  mutating func restart(shift: Int64, now: Int64) {
    isRestarted = true
    doubtful = nil
    fixedAt = fixedAt.map { $0 + shift }
    signals = []
    for id in places.keys.sorted() {
      if places[id]?.since != nil { places[id]?.since = now }
      if places[id]?.entered != nil { places[id]?.entered = now }
    }
    for limit in presence.keys.sorted() {
      presence[limit]?.isUnknown = true
      presence[limit]?.candidate = nil
      presence[limit]?.heard = nil
      presence[limit]?.silentSince = nil
    }
    for name in properties.keys.sorted() {
      properties[name]?.said += shift
      properties[name]?.toldAt += shift
      properties[name]?.owes = false
      if let time = properties[name]?.setAt { properties[name]?.setAt = time + shift }
    }
  }
}
