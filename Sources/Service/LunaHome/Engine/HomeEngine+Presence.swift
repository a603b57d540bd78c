// Who is heard (HOME.md 5.3).

extension HomeEngine {
  /// Without a sign of life for so long nobody can be heard, µs.
  private static let deaf: Int64 = 60_000_000
  private static let weaker = 6

  mutating func heardSomebody() {
    guard state.receiver.isScanning else { return }
    state.receiver.lastAlive = now.boot
    if state.receiver.isDead {
      state.receiver.isDead = false
      // Silence counts from now on, also of who was away: nobody knows whether it still is.
      forEachPresence { presence, now in
        if presence.isPresent != nil { presence.silentSince = now.boot }
      }
      state.nextDue = min(state.nextDue, now.boot)
    }
    due(at: now.boot + HomeEngine.deaf)
  }

  mutating func setReceiver(_ isScanning: Bool) {
    guard isScanning != state.receiver.isScanning else { return }
    state.receiver.isScanning = isScanning
    if !isScanning { die() }
  }

  private mutating func die() {
    guard !state.receiver.isDead else { return }
    state.receiver.isDead = true
    forEachPresence { presence, _ in
      presence.isUnknown = true
      presence.silentSince = nil
      presence.candidate = nil
    }
    for tracker in configuration.trackers {
      let places = index.beacons(tracker.id) + index.properties(tracker.id, "present")
      endLasting(places, of: tracker.id, begunBy: now.boot)
    }
  }

  private mutating func forEachPresence(_ body: (inout PresenceState, Moment) -> Void) {
    for tracker in configuration.trackers {
      guard var presences = state.trackers[tracker.id]?.presence else { continue }
      for limit in presences.keys.sorted() {
        guard var presence = presences[limit] else { continue }
        body(&presence, now)
        presences[limit] = presence
      }
      state.trackers[tracker.id]?.presence = presences
    }
  }

  mutating func heard(_ id: String, _ rssi: Int) {
    guard index.tracker(id) != nil else { return }
    for limit in index.limits(id) { heard(id, rssi, limit) }
    hearSignal(of: id, rssi)
  }

  private mutating func heard(_ id: String, _ rssi: Int, _ limit: Int) {
    guard rssi >= limit - HomeEngine.weaker else { return }
    // In place: a copy of what is kept would be made for every frame.
    let hearing = state.trackers[id, default: TrackerState()]
      .presence[limit, default: PresenceState()].hear(comes: rssi >= limit, at: now.boot)
    // Of who is there silence counts from now on. Most of the time something else is due before: then it
    // need not be known how long it may last.
    if hearing == .nothing || now.boot + PresenceState.leastSilence < state.nextDue,
      let presence = state.trackers[id]?.presence[limit], let since = presence.silentSince
    {
      due(at: since + presence.outAfter)
    }
    // What was told is not told again with every frame.
    guard hearing == .isThere || hearing == .comes, let tracker = tracker(id) else { return }
    if limit == -127 { tellPresence(tracker, true, again: hearing == .isThere) }
    if hearing == .comes { tellBeacon(tracker, isIn: true, limit) }
  }

  /// Trackers that are silent, and receivers that are.
  mutating func runPresence(upTo limit: Int64) {
    if !state.receiver.isDead, let alive = state.receiver.lastAlive {
      if alive + HomeEngine.deaf < limit { die() } else { due(at: alive + HomeEngine.deaf) }
    }
    guard !state.receiver.isDead else { return }
    for tracker in configuration.trackers {
      guard let presences = state.trackers[tracker.id]?.presence, !presences.isEmpty else {
        continue
      }
      for signal in index.limits(tracker.id) {
        guard var presence = presences[signal], let since = presence.silentSince else { continue }
        guard since + presence.outAfter < limit else {
          due(at: since + presence.outAfter)
          continue
        }
        let wasPresent = presence.isPresent == true
        presence.isPresent = false
        presence.isUnknown = false
        presence.silentSince = nil
        presence.candidate = nil
        state.trackers[tracker.id]?.presence[signal] = presence
        if signal == -127 { tellPresence(tracker, false, again: !wasPresent) }
        // Who was away before nobody could be heard has not gone meanwhile.
        if wasPresent { tellBeacon(tracker, isIn: false, signal) }
      }
    }
  }

  /// - Parameter again: whether nobody knew it until now, as after a restart: then it is told though it is as it was.
  private mutating func tellPresence(
    _ tracker: TrackerEntry, _ isPresent: Bool, again: Bool = false
  ) {
    setProperty(
      "present", of: tracker.id, .text(isPresent ? "yes" : "no"), chain: [], again: again)
  }

  private mutating func tellBeacon(_ tracker: TrackerEntry, isIn: Bool, _ limit: Int) {
    for place in index.beacons(tracker.id) {
      let rule = configuration.rules[place.rule]
      guard case .beacon(let wants, _, let least) = rule.triggers[place.trigger], least == limit
      else { continue }
      let key = "\(place.trigger) \(tracker.id)"
      guard wants == isIn else {
        state.rules[rule.id]?.lasting[key] = nil
        continue
      }
      let cause = HomeCause(
        trigger: rule.triggers[place.trigger].name, input: state.input, tracker: tracker.id,
        detail: least == -127 ? "" : "\(least) dBm")
      lastOrStart(rule, key, cause)
    }
  }

  /// Whether a tracker is heard: nil where nobody knows.
  func isPresent(_ id: String) -> Bool? {
    guard let presence = state.trackers[id]?.presence[-127], !presence.isUnknown else { return nil }
    return presence.isPresent
  }

  /// The median of the last seconds as a property.
  private mutating func hearSignal(of id: String, _ rssi: Int) {
    let signal = Signal(boot: now.boot, rssi: rssi)
    state.trackers[id, default: TrackerState()].hear(signal)
    let last = state.trackers[id]?.properties["rssi"]?.said ?? .min
    guard last == .min || now.boot - last >= 1_000_000 else { return }
    let sorted = (state.trackers[id]?.signals ?? []).map(\.rssi).sorted()
    setProperty("rssi", of: id, .number(Double(sorted[sorted.count / 2])), chain: [])
  }
}
