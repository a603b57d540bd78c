import Beacons
import Bluetooth

// What is learned over days outlasts the process.

extension WatchEngine {
  /// More identifiers are not remembered; of many, those that came first are left out.
  private static let mostRemembered = 4_096

  /// What it has learned so far, for the process after this one.
  package func remembered() -> WatchMemory {
    // Times are kept by the clock, not by ours.
    let shift = Int(ahead / 1_000_000)
    var roots: Set<Int32> = []
    for number in tracks.indices where !tracks[number].rides.isEmpty || tracks[number].told != nil {
      roots.insert(root(of: Int32(number)))
    }
    var kept = tracks.indices.filter { roots.contains(root(of: Int32($0))) }
    if kept.count > WatchEngine.mostRemembered {
      kept.removeFirst(kept.count - WatchEngine.mostRemembered)
    }
    var numbers: [Int32: Int] = [:]
    for (number, track) in kept.enumerated() { numbers[Int32(track)] = number }
    return WatchMemory(
      places: travel.places.map { known($0, shift) }, trips: travel.trips.map { known($0, shift) },
      tracks: kept.map { known(tracks[$0], numbers, shift) },
      fills: shortLived.map {
        WatchMemory.KnownFill(
          family: WatchIdentifier(code: $0.code, 0).family.rawValue, trip: $0.trip, day: $0.day)
      },
      tellings: shortLivedTold.sorted { $0.key < $1.key }.map {
        WatchMemory.KnownTelling(
          family: WatchIdentifier(code: $0.key, 0).family.rawValue, time: max(0, $0.value - shift))
      },
      seconds: tally.seconds, gaps: tally.gaps, gapSeconds: tally.gapSeconds,
      dropped: tally.dropped, last: max(0, now - shift))
  }

  private func known(_ place: Place, _ shift: Int) -> WatchMemory.KnownPlace {
    WatchMemory.KnownPlace(
      latitude: place.latitude, longitude: place.longitude, nights: place.nights,
      last: max(0, place.last - shift), isMarked: place.isMarked)
  }

  private func known(_ trip: Trip, _ shift: Int) -> WatchMemory.KnownTrip {
    WatchMemory.KnownTrip(
      id: trip.id, begin: max(0, trip.begin - shift), end: max(0, trip.end - shift),
      from: trip.from, to: trip.to, metres: trip.metres,
      visitEnd: max(0, (trip.visitEnd ?? now) - shift), isCounted: trip.isCounted,
      listened: listened.count(in: trip.slots).heard)
  }

  private func known(
    _ track: Track, _ numbers: [Int32: Int], _ shift: Int
  ) -> WatchMemory.KnownTrack {
    WatchMemory.KnownTrack(
      identifier: track.identifier.description, first: max(0, track.first - shift),
      last: max(0, track.last - shift), firstTraits: track.firstTraits,
      lastTraits: track.lastTraits, lastState: track.lastState.rawValue,
      exclusion: track.exclusion?.rawValue,
      rides: track.rides.map { ride in
        WatchMemory.KnownRide(
          trip: ride.trip, heard: Int(ride.heard), near: Int(ride.near), after: Int(ride.after),
          lastAfter: ride.lastAfter == 0 ? 0 : max(0, ride.lastAfter - shift))
      }, previous: numbers[track.previous] ?? -1, confidence: track.confidence,
      told: track.told?.rawValue, toldAt: max(0, track.toldAt - shift), toldTrips: track.toldTrips,
      isToldOfDays: track.isToldOfDays)
  }

  /// An engine that goes on from what another one has learned; nil where that cannot be.
  package init?(_ settings: WatchSettings, _ memory: WatchMemory) {
    guard memory.isSound else { return nil }
    self.init(settings)
    // Nothing that is known lies in the future, also where the clock was set back meanwhile.
    latest = Int64(memory.last) * 1_000_000
    travel = Travel(memory.places.map { Place($0) }, memory.trips.map { Trip($0) })
    resumed = travel.tripCount
    // Which slots of a trip it were does not matter.
    for (trip, known) in zip(travel.trips, memory.trips) {
      let count = min(known.listened, WatchEngine.memory / Slots.length)
      for slot in trip.slots.prefix(count) { listened.insert(slot, near: false) }
    }
    for known in memory.tracks {
      guard let track = Track(known), index[track.identifier] == nil else { return nil }
      let number = Int32(tracks.count)
      tracks.append(track)
      index[track.identifier] = number
      guard track.previous != Track.none else { continue }
      // Two cannot come after the same one.
      guard tracks[Int(track.previous)].next == Track.none else { return nil }
      tracks[Int(track.previous)].next = number
    }
    for fill in memory.fills {
      guard let family = BeaconFamily(rawValue: fill.family) else { continue }
      shortLived.append((WatchIdentifier.number(of: family), fill.trip, fill.day))
    }
    for telling in memory.tellings {
      guard let family = BeaconFamily(rawValue: telling.family) else { continue }
      shortLivedTold[WatchIdentifier.number(of: family)] = telling.time
    }
    tally = WatchTally(
      seconds: memory.seconds, gaps: memory.gaps, gapSeconds: memory.gapSeconds,
      dropped: memory.dropped, last: memory.last)
  }
}

extension Place {
  fileprivate init(_ known: WatchMemory.KnownPlace) {
    self.init(
      latitude: known.latitude, longitude: known.longitude, nights: known.nights, last: known.last,
      isMarked: known.isMarked)
  }
}

extension Trip {
  fileprivate init(_ known: WatchMemory.KnownTrip) {
    self.init(
      id: known.id, begin: known.begin, end: known.end, from: known.from, to: known.to,
      metres: known.metres, visitEnd: max(known.end, known.visitEnd), isCounted: known.isCounted)
  }
}

extension Track {
  fileprivate init?(_ known: WatchMemory.KnownTrack) {
    guard let identifier = WatchIdentifier(known.identifier) else { return nil }
    self.init(
      WatchFrame(
        time: .unknown, identifier: identifier,
        state: WatchState(rawValue: known.lastState) ?? .unknown, traits: known.firstTraits,
        rssi: -127,
        exclusion: known.exclusion.flatMap { WatchExclusion(rawValue: $0) }), at: known.first)
    last = known.last
    stretch = known.last
    lastTraits = known.lastTraits
    isActive = false
    rides = known.rides.map { ride in
      Ride(
        trip: ride.trip, heard: UInt16(clamping: ride.heard), near: UInt16(clamping: ride.near),
        after: UInt16(clamping: ride.after), lastAfter: ride.lastAfter)
    }
    previous = Int32(known.previous)
    confidence = known.previous < 0 ? 1 : known.confidence
    told = known.told.flatMap { WatchGrade(rawValue: $0) }
    toldAt = known.toldAt
    toldTrips = known.toldTrips
    isToldOfDays = known.isToldOfDays ?? false
  }
}
