// Fixes, and who is in which place (HOME.md 5.2).

extension HomeEngine {
  /// A change of a place.
  struct Crossing {
    let place: Place
    let isInside: Bool
    let isLate: Bool
  }

  /// A fix may be so much older than this moment, and so much ahead of it, µs.
  private static let tolerance: Int64 = 900_000_000

  mutating func take(_ fix: Fix, of id: String) {
    guard let tracker = tracker(id), fix.isPlausible,
      now.wall - fix.time <= HomeEngine.tolerance, fix.time - now.wall <= HomeEngine.tolerance
    else { return }
    let (last, doubtful) = (state.trackers[id]?.fix, state.trackers[id]?.doubtful)
    // One of a time to come was taken while the clock was wrong: nothing would be newer until then.
    if let last, last.time - now.wall <= HomeEngine.tolerance {
      guard fix.time > last.time else { return }
      if fix.speed(from: last) > 100 {
        guard let doubtful, fix.time > doubtful.time, doubtful.report != fix.report,
          fix.speed(from: doubtful) <= 100
        else {
          state.trackers[id]?.doubtful = fix
          return
        }
        // Two that agree are believed, the first one first.
        use(doubtful, of: tracker)
      }
    }
    if doubtful != nil { state.trackers[id]?.doubtful = nil }
    use(fix, of: tracker)
  }

  private mutating func use(_ fix: Fix, of tracker: TrackerEntry) {
    // In place: a copy of what is known of all places would be made for every fix.
    let found = state.trackers[tracker.id, default: TrackerState()]
      .use(fix, at: now.boot, among: configuration.places)
    crossing[tracker.id] = found.next == .max ? nil : found.next
    due(at: found.due)
    cross(found.crossings, tracker)
    tellZone(of: tracker)
    tellLocation(fix, of: tracker)
  }

  /// Starts the rules that wait for another position: as far as the model says from the one before that they know of,
  /// else 10 m. No coordinate is in the cause, which is told to more than may know where the tracker is.
  private mutating func tellLocation(_ fix: Fix, of tracker: TrackerEntry) {
    let waiting = index.properties(tracker.id, "location")
    guard !waiting.isEmpty else { return }
    guard let last = state.trackers[tracker.id]?.told else {
      // The first answer is no event.
      state.trackers[tracker.id]?.told = fix
      return
    }
    let moved = Geodesy.distance(last.latitude, last.longitude, fix.latitude, fix.longitude)
    guard moved >= tracker.property("location").minChange else { return }
    state.trackers[tracker.id]?.told = fix
    start(waiting, "location", of: tracker)
  }

  /// Starts those of some rules that wait for any change of a property.
  private mutating func start(
    _ waiting: [RuleIndex.Place], _ property: String, of tracker: TrackerEntry
  ) {
    for place in waiting {
      let rule = configuration.rules[place.rule]
      guard case .property(_, _, .changes, _) = rule.triggers[place.trigger] else { continue }
      start(
        rule,
        HomeCause(
          trigger: "property", input: state.input, tracker: tracker.id,
          detail: "\(property) changes"))
    }
  }

  /// All exits, then all enters, the smallest place last.
  mutating func cross(_ crossings: [Crossing], _ tracker: TrackerEntry) {
    guard !crossings.isEmpty else { return }
    let exits = crossings.filter { !$0.isInside }
    let enters = crossings.filter(\.isInside).enumerated().sorted {
      ($1.element.place.radius, $0.offset) < ($0.element.place.radius, $1.offset)
    }.map(\.element)
    for crossing in exits + enters {
      let id = crossing.place.id
      state.trackers[tracker.id]?.places[id]?.cross(isInside: crossing.isInside, at: now.boot)
      if crossing.isInside { state.nextDue = min(state.nextDue, now.boot) }
      tell(crossing.isInside ? .enter : .exit, crossing, tracker)
    }
    start(index.properties(tracker.id, "zones"), "zones", of: tracker)
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
    guard !configuration.places.isEmpty else { return }
    let known = state.trackers[tracker.id]?.places ?? [:]
    var isKnown = true
    for number in index.placesBySize {
      let id = configuration.places[number].id
      guard let place = known[id] else {
        isKnown = false
        continue
      }
      if place.isInside { return setProperty("zone", of: tracker.id, .text(id), chain: []) }
    }
    // It is away when it is known to be in none.
    if isKnown { setProperty("zone", of: tracker.id, .text("away"), chain: []) }
  }

  /// Changes that have waited long enough, and stays.
  mutating func runPlaces(upTo limit: Int64) {
    var numbers = index.dwellers
    for (id, next) in crossing {
      if next >= limit {
        due(at: next)
      } else if let number = index.tracker(id) {
        numbers.insert(number)
      }
    }
    // In the order of the file, whatever began to wait first.
    for number in numbers.sorted() {
      let id = configuration.trackers[number].id
      guard let known = state.trackers[id]?.places else { continue }
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
      for dwell in index.dwells(id) { runDwell(dwell, tracker, upTo: limit) }
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
