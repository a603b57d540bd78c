import Beacons

extension WatchEngine {
  /// Nothing is told of one twice within this, s.
  private static let again = 8 * 3_600
  /// How much of a trip makes one that was heard on it: 3 of 5 slots.
  private static let share = (heard: 5, listened: 3)

  /// What was heard of a trip under all identifiers of a thread.
  struct Journey {
    let trip: Trip
    let listened: Int
    var heard = 0
    var near = 0
    var after = 0
    var lastAfter = 0
    /// The identifier with which it was first heard, and the confidence up to there.
    var start: Double
    /// The confidence up to where it had come along, and to where it was there half an hour later.
    var made: Double?
    var stayed: Double?

    var isHeard: Bool { listened > 0 && heard * 5 >= listened * 3 }
    var isNear: Bool { near * 2 > heard }
  }

  /// Judges what was heard on the trips of the last hours.
  mutating func judge() {
    var recent: [Trip] = []
    for trip in travel.trips.reversed() {
      if trip.end < now - WatchEngine.judged || trip.id < resumed { break }
      recent.append(trip)
    }
    if let oldest = recent.last {
      var roots: Set<Int32> = []
      for number in tracks.indices where tracks[number].last >= oldest.begin {
        var isRider = false
        for trip in recent where note(number, trip) { isRider = true }
        if isRider { roots.insert(root(of: Int32(number))) }
      }
      for root in roots.sorted() { judge(root) }
      if settings.rules.contains(.shortLived) {
        for trip in recent where !trip.isCounted && now - trip.end >= WatchEngine.linkDelay {
          countShortLived(trip)
        }
      }
    }
    if travel.lastFix.map({ now - $0 > 7_200 }) ?? true { judgeWithoutPlaces() }
  }

  /// Notes what was heard of a trip under one identifier.
  private mutating func note(_ number: Int, _ trip: Trip) -> Bool {
    let track = tracks[number]
    guard track.last >= trip.begin else { return false }
    // A slot in which both identifiers were heard counts once.
    var first: UInt32 = 0
    if track.previous != Track.none {
      first = UInt32(tracks[Int(track.previous)].last / Slots.length) + 1
    }
    let along = track.slots.count(in: clip(trip.slots, first))
    guard along.heard > 0 || track.rides.last?.trip == trip.id || track.previous != Track.none
    else { return false }
    let after = track.slots.count(in: clip(trip.visit(until: now), first))
    guard along.heard > 0 || after.heard > 0 else { return false }
    let ride = Track.Ride(
      trip: trip.id, heard: UInt16(clamping: along.heard), near: UInt16(clamping: along.near),
      after: UInt16(clamping: after.heard),
      lastAfter: after.last.map { Int($0) * Slots.length } ?? 0)
    if let place = track.rides.lastIndex(where: { $0.trip == trip.id }) {
      tracks[number].rides[place] = ride
    } else {
      tracks[number].rides.append(ride)
    }
    return true
  }

  private func clip(_ range: Range<UInt32>, _ first: UInt32) -> Range<UInt32> {
    let lower = max(range.lowerBound, first)
    return lower..<max(lower, range.upperBound)
  }

  /// What a thread was heard on, in the order of the trips.
  func journeys(of root: Int32) -> [Journey] {
    var journeys: [Journey] = []
    var confidence = 1.0
    var number = root
    while number != Track.none {
      let track = tracks[Int(number)]
      confidence *= track.confidence
      for ride in track.rides {
        var place = journeys.lastIndex { $0.trip.id == ride.trip }
        if place == nil {
          // One that was only heard in the visit after it was not on the trip.
          guard ride.heard > 0, let trip = travel.trip(ride.trip) else { continue }
          let count = listened.count(in: trip.slots).heard
          journeys.append(Journey(trip: trip, listened: count, start: confidence))
          place = journeys.count - 1
        }
        guard let place else { continue }
        journeys[place].heard += Int(ride.heard)
        journeys[place].near += Int(ride.near)
        journeys[place].after += Int(ride.after)
        journeys[place].lastAfter = max(journeys[place].lastAfter, ride.lastAfter)
        let enough = journeys[place].after >= 5 || !settings.rules.contains(.bothEnds)
        if journeys[place].made == nil, journeys[place].isHeard, enough {
          journeys[place].made = confidence
        }
        if journeys[place].made != nil, journeys[place].stayed == nil,
          ride.lastAfter - journeys[place].trip.end >= 1_800
        {
          journeys[place].stayed = confidence
        }
      }
      number = track.next
    }
    return journeys
  }

  private mutating func judge(_ root: Int32) {
    let tail = tail(of: root)
    guard tracks[Int(tail)].exclusion == nil, let verdict = verdict(of: root) else { return }
    tell(root, tail, verdict)
  }

  /// The last track of a thread.
  func tail(of root: Int32) -> Int32 {
    var number = root
    while tracks[Int(number)].next != Track.none { number = tracks[Int(number)].next }
    return number
  }

  /// What is to be said of a thread; nil for nothing.
  func verdict(of root: Int32) -> Verdict? {
    let journeys = journeys(of: root)
    let last = tracks[Int(tail(of: root))].last
    guard journeys.contains(where: { $0.isHeard }) else { return nil }
    var verdict = Verdict(grade: .notice, reasons: [.heardOnTrip])
    let made = journeys.filter { $0.made != nil }
    verdict.take(made, last)
    let long = made.filter { $0.trip.metres >= 1_000 }
    if let first = long.first {
      verdict.grade = .suspect
      verdict.reasons = [.madeTrip]
      verdict.confidence = (first.made ?? 0) / first.start
    }
    let counting =
      settings.rules.contains(.nearOwner) ? made.filter { !$0.isNear } : made
    let needed = settings.rules.contains(.confidence) ? 0.6 : 0
    if counting.count < made.count, verdict.grade == .suspect {
      verdict.reasons.append(.nearOwner)
      if isOnThreeDays(made.filter(\.isNear), needed) { verdict.reasons.append(.threeDays) }
    }
    let time = settings.sensitivity.seconds
    var best = 0.0
    var why: [WatchReason] = []
    for (place, journey) in counting.enumerated() {
      if place > 0, let until = journey.made {
        let before = counting[place - 1]
        let confidence = until / before.start
        if last - before.trip.begin >= time, confidence > best {
          best = confidence
          why = [.madeTrips]
          if journey.trip.to != before.trip.from, journey.trip.from == before.trip.to {
            why.append(.threePlaces)
          }
        }
      }
      if settings.rules.contains(.stayed), let until = journey.stayed,
        travel.places[journey.trip.to].isKnown
      {
        let confidence = until / journey.start
        if journey.lastAfter - journey.trip.begin >= time, confidence > best {
          best = confidence
          why = [.madeTrip, .stayed]
        }
      }
    }
    if best >= needed, !why.isEmpty {
      verdict.grade = .alarm
      verdict.reasons = why
      verdict.confidence = best
    }
    return verdict
  }

  /// Whether trips lie on three days, of which it is sure enough that one and the same made them.
  private func isOnThreeDays(_ journeys: [Journey], _ needed: Double) -> Bool {
    for (place, last) in journeys.enumerated() {
      var days: Set<Int> = []
      let first = journeys[...place].last { journey in
        days.insert(journey.trip.begin / WatchEngine.day)
        return days.count == 3
      }
      if let first, let until = last.made, until / first.start >= needed { return true }
    }
    return false
  }

  private mutating func tell(_ root: Int32, _ tail: Int32, _ verdict: Verdict) {
    let track = tracks[Int(tail)]
    let isNews =
      verdict.reasons.contains(.threeDays) && !track.isToldOfDays
      && (track.told ?? .notice) <= .suspect
    if let told = track.told {
      // The same again only of an alarm, for a trip more, after hours; and once of days with the owner near.
      guard
        verdict.grade > told || isNews
          || verdict.grade == told && told == .alarm && verdict.trips > track.toldTrips
            && now - track.toldAt >= WatchEngine.again
      else { return }
    }
    var number = root
    while number != Track.none {
      tracks[Int(number)].told = verdict.grade
      tracks[Int(number)].toldAt = now
      tracks[Int(number)].toldTrips = verdict.trips
      if isNews { tracks[Int(number)].isToldOfDays = true }
      number = tracks[Int(number)].next
    }
    tally.tell(verdict.grade)
    findings.append(finding(root, verdict))
  }

  /// Where it is not known where the box is, only what stays for long is noticed.
  private mutating func judgeWithoutPlaces() {
    for number in active {
      let track = tracks[Int(number)]
      guard track.exclusion == nil, track.told == nil,
        track.last - track.stretch >= settings.sensitivity.seconds
      else { continue }
      var verdict = Verdict(grade: .notice, reasons: [.noPlaces])
      verdict.minutes = (track.last - track.stretch) / 60
      tell(root(of: number), tail(of: number), verdict)
    }
  }

  /// In a box that never moves: what is new here for three nights.
  mutating func judgeNewcomers() {
    guard travel.trips.isEmpty, let place = travel.place, travel.places[place].isKnown else {
      return
    }
    for number in active {
      let root = root(of: number)
      let first = tracks[Int(root)].first
      let track = tracks[Int(number)]
      guard track.exclusion == nil, track.told == nil, track.next == Track.none,
        first - start >= WatchEngine.day, track.last - first >= 2 * WatchEngine.day
      else { continue }
      var verdict = Verdict(grade: .notice, reasons: [.newHere])
      verdict.minutes = (track.last - first) / 60
      tell(root, tail(of: number), verdict)
    }
  }
}
