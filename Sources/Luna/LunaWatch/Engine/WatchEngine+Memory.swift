extension WatchEngine {
  /// Forgets what is too old, each hour.
  mutating func care() {
    judgeNewcomers()
    travel.forget(before: now - WatchEngine.memory)
    let oldest = travel.trips.first?.id ?? .max
    shortLived.removeAll { $0.trip < oldest }
    // Slots serve the trips that are still judged; what was heard on them is kept.
    var since = now - 6 * 3_600
    for trip in travel.trips.reversed() {
      if trip.end < now - WatchEngine.judged { break }
      since = min(since, trip.begin)
    }
    if travel.isMoving, let trip = travel.trips.last { since = min(since, trip.end) }
    since = max(since, now - 2 * WatchEngine.day)
    let slot = UInt32(max(0, since / Slots.length))
    var old = false
    for number in tracks.indices {
      tracks[number].slots.forget(before: slot)
      if let first = tracks[number].rides.first, first.trip < oldest {
        tracks[number].rides.removeAll { $0.trip < oldest }
      }
      if tracks[number].last < now - WatchEngine.memory { old = true }
    }
    let kept = UInt32(max(0, (now - WatchEngine.memory) / Slots.length))
    listened.forget(before: kept)
    // Identifiers that were on no trip and are gone need no room for long.
    if old || tracks.count > settings.mostIdentifiers / 2 {
      let now = now
      compact(counts: false) { track in
        now - track.last <= WatchEngine.memory
          && (now - track.last <= WatchEngine.day || !track.rides.isEmpty || track.told != nil
            || track.exclusion != nil)
      }
    }
  }

  /// Makes room for newcomers: of what was heard least, what was heard longest ago goes. So a flood of made-up
  /// identifiers drives itself out.
  mutating func makeRoom() {
    let few = tracks.map { $0.rides.isEmpty && $0.told == nil && $0.slots.count <= 1 }
    // The threshold lies between the oldest and the newest of them.
    let count = few.reduce(0) { $0 + ($1 ? 1 : 0) }
    let goal = max(1, settings.mostIdentifiers / 8)
    var times: [Int] = []
    if count >= goal {
      for number in tracks.indices where few[number] { times.append(tracks[number].last) }
    } else {
      for track in tracks { times.append(track.last) }
    }
    times.sort()
    let limit = times[goal - 1]
    var left = goal
    compact(counts: true) { track in
      guard left > 0, track.last <= limit else { return true }
      if count >= goal,
        !(track.rides.isEmpty && track.told == nil && track.slots.count <= 1)
      {
        return true
      }
      left -= 1
      return false
    }
  }

  /// Keeps some of the tracks, and all that points to them.
  private mutating func compact(counts: Bool, _ isKept: (Track) -> Bool) {
    var moved = [Int32](repeating: Track.none, count: tracks.count)
    var kept = 0
    for number in tracks.indices {
      if isKept(tracks[number]) {
        moved[number] = Int32(kept)
        kept += 1
      } else {
        index[tracks[number].identifier] = nil
        if counts { tally.dropped += 1 }
      }
    }
    guard kept < tracks.count else { return }
    func new(_ number: Int32) -> Int32 { number == Track.none ? Track.none : moved[Int(number)] }
    var place = 0
    for number in tracks.indices where moved[number] != Track.none {
      var track = tracks[number]
      let hadPrevious = track.previous != Track.none
      track.previous = new(track.previous)
      if hadPrevious, track.previous == Track.none { track.confidence = 1 }
      track.next = new(track.next)
      tracks[place] = track
      index[track.identifier] = Int32(place)
      place += 1
    }
    tracks.removeLast(tracks.count - kept)
    active = active.map(new).filter { $0 != Track.none }
    let waiting = begins.count - nextBegin
    let late = begins.suffix(waiting).filter { new($0.track) != Track.none }.count
    begins = begins.filter { new($0.track) != Track.none }
      .map { Edge(time: $0.time, track: new($0.track)) }
    nextBegin = begins.count - late
    ends = ends.filter { new($0.track) != Track.none }
      .map { Edge(time: $0.time, track: new($0.track)) }
  }
}
