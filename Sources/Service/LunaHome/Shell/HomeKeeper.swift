/// Which parts of a state have changed since they were kept.
struct HomeKeeper {
  private var kept = HomeState()

  /// The parts that have changed; nil is for one that is gone. All of them count as kept from now on.
  mutating func changes(of state: HomeState) -> [String: [UInt8]?] {
    var parts: [String: [UInt8]?] = [:]
    for (id, tracker) in state.trackers where kept.trackers[id] != tracker {
      parts["tracker/" + id] = HomeState.bytes(tracker)
    }
    for id in kept.trackers.keys where state.trackers[id] == nil {
      parts.updateValue(nil, forKey: "tracker/" + id)
    }
    for (id, rule) in state.rules where kept.rules[id] != rule {
      parts["rule/" + id] = HomeState.bytes(rule)
    }
    for id in kept.rules.keys where state.rules[id] == nil {
      parts.updateValue(nil, forKey: "rule/" + id)
    }
    let (rest, old) = (state.rest, kept.rest)
    if rest != old { parts["rest"] = HomeState.bytes(rest) }
    kept = state
    return parts
  }

  /// Nothing counts as kept any more: what was to be kept was not.
  mutating func forget() { kept = HomeState() }
}
