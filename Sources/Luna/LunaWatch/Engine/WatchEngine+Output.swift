import Bluetooth

extension WatchEngine {
  /// What is said of a thread, with all that speaks for it.
  func finding(_ root: Int32, _ verdict: Verdict) -> WatchFinding {
    var identifiers: [WatchIdentifier] = []
    var links: [WatchLink] = []
    var number = root
    var last = root
    while number != Track.none {
      let track = tracks[Int(number)]
      if let before = identifiers.last {
        links.append(
          WatchLink(from: before, to: track.identifier, confidence: track.confidence))
      }
      identifiers.append(track.identifier)
      last = number
      number = track.next
    }
    return WatchFinding(
      time: clock(now), grade: verdict.grade, family: tracks[Int(root)].identifier.family,
      identifiers: identifiers, confidence: verdict.confidence, trips: verdict.trips,
      places: verdict.places, minutes: verdict.minutes, metres: verdict.metres,
      reasons: verdict.reasons, rides: journeys(of: root).map(ride), links: links,
      rssi: tracks[Int(last)].tail.median, exclusion: tracks[Int(last)].exclusion)
  }

  private func ride(_ journey: Journey) -> WatchRide {
    let (from, to) = (travel.places[journey.trip.from], travel.places[journey.trip.to])
    return WatchRide(
      begin: clock(journey.trip.begin), end: clock(journey.trip.end),
      from: (from.latitude, from.longitude), to: (to.latitude, to.longitude),
      metres: journey.trip.metres, heard: journey.heard, listened: journey.listened,
      after: journey.after, made: journey.made != nil)
  }

  /// What is known of a tracker; nil for one that was not heard or made room.
  public func finding(of identifier: WatchIdentifier) -> WatchFinding? {
    guard let number = index[identifier] else { return nil }
    let root = root(of: number)
    return finding(root, verdict(of: root) ?? Verdict(grade: .notice, reasons: []))
  }

  /// What was listened to.
  public var summary: WatchSummary {
    var excluded: [WatchFinding] = []
    for number in tracks.indices
    where tracks[number].exclusion != nil && tracks[number].next == Track.none {
      let root = root(of: Int32(number))
      excluded.append(finding(root, verdict(of: root) ?? Verdict(grade: .notice, reasons: [])))
    }
    return WatchSummary(
      hours: Double(tally.seconds) / 3_600, trips: travel.tripCount, gaps: tally.gaps,
      gapMinutes: tally.gapSeconds / 60, identifiers: index.count, dropped: tally.dropped,
      notices: tally.notices, suspects: tally.suspects, alarms: tally.alarms,
      possible: tally.possible, excluded: excluded)
  }
}
