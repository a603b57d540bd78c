// Fixes, and who is in which place (HOME.md 5.2).

extension HomeEngine {
  /// A change of a place.
  struct Crossing {
    let place: Place
    let isInside: Bool
    let isLate: Bool
  }

  mutating func take(_ fix: Fix, of id: String) {
    guard let tracker = tracker(id), fix.isPlausible,
      now.wall - fix.time <= 900_000_000, fix.time - now.wall <= 900_000_000
    else { return }
    var known = state.trackers[id] ?? TrackerState()
    if let last = known.fix {
      guard fix.time > last.time else { return }
      if fix.speed(from: last) > 100 {
        guard let doubtful = known.doubtful, fix.time > doubtful.time,
          doubtful.report != fix.report, fix.speed(from: doubtful) <= 100
        else {
          known.doubtful = fix
          state.trackers[id] = known
          return
        }
        // Two that agree are believed, the first one first.
        known.doubtful = nil
        state.trackers[id] = known
        use(doubtful, of: tracker)
      }
    }
    state.trackers[id, default: TrackerState()].doubtful = nil
    use(fix, of: tracker)
  }

  private mutating func use(_ fix: Fix, of tracker: TrackerEntry) {
    var known = state.trackers[tracker.id] ?? TrackerState()
    known.fix = fix
    known.fixedAt = now.boot
    let isFirst = known.isRestarted
    known.isRestarted = false
    var crossings: [Crossing] = []
    var next = Int64.max
    for place in configuration.places {
      guard let side = place.says(fix) else {
        if let old = known.places[place.id] { next = min(next, old.due(place)) }
        continue
      }
      guard var old = known.places[place.id], old.shape == place.shape else {
        // The first answer, also after an edit, is no event.
        known.places[place.id] = PlaceState(shape: place.shape, isInside: side)
        continue
      }
      if side == old.isInside {
        old.since = nil
        old.report = nil
      } else {
        let after = side ? place.enterAfter : place.leaveAfter
        if old.since == nil {
          old.since = now.boot
          old.report = fix.report
          old.isLate = isFirst
        }
        let isConfirmed = old.report != fix.report || after.microseconds == 0
        if isConfirmed {
          crossings.append(Crossing(place: place, isInside: side, isLate: old.isLate))
        } else {
          next = min(next, old.due(place))
          due(at: old.due(place))
        }
      }
      known.places[place.id] = old
    }
    state.trackers[tracker.id] = known
    crossing[tracker.id] = next == .max ? nil : next
    cross(crossings, tracker)
    tellZone(of: tracker)
  }

  /// All exits, then all enters, the smallest place last.
  mutating func cross(_ crossings: [Crossing], _ tracker: TrackerEntry) {
    let exits = crossings.filter { !$0.isInside }
    let enters = crossings.filter(\.isInside).enumerated().sorted {
      ($1.element.place.radius, $0.offset) < ($0.element.place.radius, $1.offset)
    }.map(\.element)
    for crossing in exits + enters {
      let id = crossing.place.id
      state.trackers[tracker.id]?.places[id]?.isInside = crossing.isInside
      state.trackers[tracker.id]?.places[id]?.since = nil
      state.trackers[tracker.id]?.places[id]?.report = nil
      state.trackers[tracker.id]?.places[id]?.entered = crossing.isInside ? now.boot : nil
      state.trackers[tracker.id]?.places[id]?.dwelt = []
      if crossing.isInside { state.nextDue = min(state.nextDue, now.boot) }
      tell(crossing.isInside ? .enter : .exit, crossing, tracker)
    }
  }

  private mutating func tell(
    _ kind: Trigger.Crossing, _ crossing: Crossing, _ tracker: TrackerEntry
  ) {
    for place in index.crossings(tracker.id) {
      guard
        case .crossing(kind, _, crossing.place.id, _) =
          configuration.rules[place.rule].triggers[place.trigger]
      else { continue }
      start(
        configuration.rules[place.rule],
        HomeCause(
          trigger: kind.rawValue, input: state.input, tracker: tracker.id,
          detail: crossing.place.id, late: crossing.isLate))
    }
  }

  /// The smallest place that it is in, as a property.
  mutating func tellZone(of tracker: TrackerEntry) {
    let known = state.trackers[tracker.id]?.places ?? [:]
    let inside = configuration.places.filter { known[$0.id]?.isInside == true }
    let smallest = inside.min { $0.radius < $1.radius }
    // It is away when it is known to be in none.
    let isKnown =
      !inside.isEmpty || configuration.places.allSatisfy { known[$0.id] != nil }
    guard isKnown, !configuration.places.isEmpty else { return }
    setProperty("zone", of: tracker.id, .text(smallest?.id ?? "away"), chain: [])
  }

  /// Changes that have waited long enough, and stays.
  mutating func runPlaces(upTo limit: Int64) {
    for number in configuration.trackers.indices {
      let id = configuration.trackers[number].id
      let dwells = index.dwells(id)
      let next = crossing[id]
      if let next, next >= limit { due(at: next) }
      guard next.map({ $0 < limit }) ?? false || !dwells.isEmpty,
        let known = state.trackers[id]?.places
      else { continue }
      let tracker = configuration.trackers[number]
      var (crossings, later): ([Crossing], Int64) = ([], .max)
      for place in configuration.places {
        guard let old = known[place.id], old.due(place) < .max else { continue }
        if old.due(place) < limit {
          crossings.append(Crossing(place: place, isInside: !old.isInside, isLate: old.isLate))
        } else {
          later = min(later, old.due(place))
        }
      }
      crossing[id] = later == .max ? nil : later
      due(at: later)
      if !crossings.isEmpty {
        cross(crossings, tracker)
        tellZone(of: tracker)
      }
      for dwell in dwells { runDwell(dwell, tracker, upTo: limit) }
    }
  }

  private mutating func runDwell(
    _ trigger: RuleIndex.Place, _ tracker: TrackerEntry, upTo limit: Int64
  ) {
    let rule = configuration.rules[trigger.rule]
    guard case .crossing(.dwell, _, let id, let after) = rule.triggers[trigger.trigger],
      let place = configuration.places.first(where: { $0.id == id }),
      let duration = after ?? place.dwell,
      let old = state.trackers[tracker.id]?.places[id], old.isInside, let entered = old.entered
    else { return }
    let key = "\(rule.id) \(trigger.trigger)"
    if old.dwelt.contains(key) { return }
    guard entered + duration.microseconds < limit else {
      return due(at: entered + duration.microseconds)
    }
    state.trackers[tracker.id]?.places[id]?.dwelt.append(key)
    start(rule, HomeCause(trigger: "dwell", input: state.input, tracker: tracker.id, detail: id))
  }
}

extension PlaceState {
  /// When a change that waits is one, if nothing contradicts it; the end of time where none waits.
  fileprivate func due(_ place: Place) -> Int64 {
    guard let since, shape == place.shape else { return .max }
    return since + (isInside ? place.leaveAfter : place.enterAfter).microseconds
  }
}
