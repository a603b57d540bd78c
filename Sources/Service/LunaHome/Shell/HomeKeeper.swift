/// Which parts of a state have changed since they were kept.
struct HomeKeeper {
  private var kept = HomeState()
  /// The parts of trackers and rules that may be in the database, also of those that are gone.
  private var names: Set<String>
  /// Whether it is not known what of it is there.
  private var isAnew = true

  /// - Parameter names: those of the parts that a process before this one has kept.
  init(_ names: [String] = []) {
    self.names = Set(names.filter { $0.hasPrefix("tracker/") || $0.hasPrefix("rule/") })
  }

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
    names.formUnion(parts.keys)
    if isAnew {
      // A rule that comes again would go on from what it was long ago, by another boot time; and a part that cannot be
      // read would have all rules begin anew at every start.
      for name in names where parts[name] == nil { parts.updateValue(nil, forKey: name) }
      isAnew = false
    }
    let (rest, old) = (state.rest, kept.rest)
    if rest != old { parts["rest"] = HomeState.bytes(rest) }
    kept = state
    return parts
  }

  /// Nothing counts as kept any more: what was to be kept was not.
  mutating func forget() {
    kept = HomeState()
    isAnew = true
  }
}
