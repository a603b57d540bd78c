// Properties, their freshness, and the rules that wait for them (HOME.md 4).

extension HomeEngine {
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - chain: the rules that led to it; nil for what comes from outside, where an echo of
  ///     what a rule has set belongs to the chain of that rule.
  ///   - again: whether people are told though it is the value that they were told last; rules start only by
  ///     another one.
  mutating func setProperty(
    _ name: String, of id: String, _ value: PropertyValue, chain: [String]?, isSet: Bool = false,
    again: Bool = false
  ) {
    guard let number = index.tracker(id) else { return }
    let property = configuration.trackers[number].property(name)
    let news = state.trackers[id]?.properties[name]?.take(
      value, chain: chain, isSet: isSet, at: now.boot, of: property)
    if news == nil {
      var first = PropertyState(value: value, said: now.boot, told: value, toldAt: now.boot)
      first.chain = chain ?? []
      first.setAt = isSet ? now.boot : nil
      state.trackers[id, default: TrackerState()].properties[name] = first
    }
    if let owedAt = news?.owedAt {
      owing.insert(id)
      due(at: owedAt)
    }
    let tells = news?.tells ?? true
    if tells || again {
      effects.append(.change(tracker: id, property: name, value: value, wall: now.wall))
    }
    if let stale = news?.staleSince {
      endLasting(index.properties(id, name), of: id, begunBy: stale)
    }
    if tells || news?.staleSince != nil {
      judge(configuration.trackers[number], name, changed: tells)
    }
  }

  func isFresh(_ known: PropertyState, _ property: ManagedProperty) -> Bool {
    known.isFresh(at: now.boot, property)
  }

  /// A value that can be compared; nil for what is stale or not known.
  func value(_ name: String, of tracker: TrackerEntry) -> PropertyValue? {
    if name == "present" {
      return isPresent(tracker.id).map { .text($0 ? "yes" : "no") }
    }
    guard let known = state.trackers[tracker.id]?.properties[name],
      isFresh(known, tracker.property(name))
    else { return nil }
    return known.value
  }

  /// Changes that were told too soon after another one.
  mutating func runProperties(upTo limit: Int64) {
    guard !owing.isEmpty else { return }
    for tracker in configuration.trackers where owing.contains(tracker.id) {
      let properties = state.trackers[tracker.id]?.properties ?? [:]
      if !properties.contains(where: { $0.value.owes }) { owing.remove(tracker.id) }
      for name in properties.keys.sorted() {
        guard var known = properties[name], known.owes else { continue }
        guard known.owedAt < limit else {
          due(at: known.owedAt)
          continue
        }
        known.owes = false
        known.told = known.value
        known.toldAt = now.boot
        state.trackers[tracker.id]?.properties[name] = known
        effects.append(
          .change(tracker: tracker.id, property: name, value: known.value, wall: now.wall))
        judge(tracker, name, changed: true)
      }
    }
  }

  /// Starts the rules for which a comparison has become true.
  private mutating func judge(_ tracker: TrackerEntry, _ name: String, changed: Bool) {
    // A rule that starts may set the same property: all are judged by this value before.
    var starting: [(rule: Rule, key: String?, cause: HomeCause)] = []
    for place in index.properties(tracker.id, name) {
      let rule = configuration.rules[place.rule]
      guard case .property(_, _, let comparison, let hysteresis) = rule.triggers[place.trigger]
      else { continue }
      let key = "\(place.trigger) \(tracker.id)"
      guard let value = value(name, of: tracker) else {
        // What is not known ends what has to last, and changes nothing else.
        state.rules[rule.id]?.lasting[key] = nil
        continue
      }
      var cause = HomeCause(
        trigger: "property", input: state.input, tracker: tracker.id,
        detail: "\(name) = \(value.json), \(comparison.text)")
      cause.value = value
      cause.chain = state.trackers[tracker.id]?.properties[name]?.chain ?? []
      if comparison == .changes {
        if changed { starting.append((rule, nil, cause)) }
        continue
      }
      let before = state.rules[rule.id]?.held[key]
      guard let holds = comparison.holds(value, held: before ?? false, hysteresis: hysteresis)
      else {
        state.rules[rule.id]?.lasting[key] = nil
        continue
      }
      state.rules[rule.id]?.held[key] = holds
      if !holds {
        state.rules[rule.id]?.lasting[key] = nil
      } else if before == false {
        starting.append((rule, key, cause))
      }
    }
    for one in starting {
      if let key = one.key {
        lastOrStart(one.rule, key, one.cause)
      } else {
        start(one.rule, one.cause)
      }
    }
  }

  /// What nobody knew for a while has not lasted, whatever it was before and after.
  ///
  /// - Parameter moment: what began later is not meant, as what a restart began anew.
  mutating func endLasting(
    _ places: [RuleIndex.Place], of tracker: String, begunBy moment: Int64
  ) {
    for place in places {
      let rule = configuration.rules[place.rule].id
      let key = "\(place.trigger) \(tracker)"
      if let one = state.rules[rule]?.lasting[key], one.since <= moment {
        state.rules[rule]?.lasting[key] = nil
      }
    }
  }

  /// Starts a rule, at once or when its trigger has lasted as long as it asks for.
  mutating func lastOrStart(_ rule: Rule, _ key: String, _ cause: HomeCause) {
    guard let lasting = rule.lasting, lasting.microseconds > 0 else { return start(rule, cause) }
    state.rules[rule.id]?.lasting[key] = Lasting(since: now.boot, cause: cause)
    due(at: now.boot + lasting.microseconds)
  }

  /// Triggers that have lasted long enough.
  mutating func runLasting(upTo limit: Int64) {
    for number in index.lasting {
      let rule = configuration.rules[number]
      guard let duration = rule.lasting, let lasting = state.rules[rule.id]?.lasting else {
        continue
      }
      for key in lasting.keys.sorted() {
        guard let one = lasting[key] else { continue }
        guard one.since + duration.microseconds < limit else {
          due(at: one.since + duration.microseconds)
          continue
        }
        state.rules[rule.id]?.lasting[key] = nil
        if stillHolds(rule, key, one.cause) { start(rule, one.cause) }
      }
    }
  }

  /// Whether what began it is known to hold: a value that went stale meanwhile is not.
  private func stillHolds(_ rule: Rule, _ key: String, _ cause: HomeCause) -> Bool {
    let number = key.prefix { $0 != " " }
    guard let index = Int(number), rule.triggers.indices.contains(index), let id = cause.tracker,
      let tracker = tracker(id)
    else { return false }
    switch rule.triggers[index] {
    case .property(_, let name, _, _): return value(name, of: tracker) != nil
    case .beacon(let isIn, _, let least):
      guard let presence = state.trackers[id]?.presence[least], !presence.isUnknown else {
        return false
      }
      return presence.isPresent == isIn
    default: return true
    }
  }
}
