import Beacons

extension WatchEngine {
  /// What lives shorter changes its identifier at will, s.
  private static let life = 180

  /// Notes in which families short lives filled a trip: one or two of them at a time.
  mutating func countShortLived(_ trip: Trip) {
    travel.count(trip.id)
    let slots = trip.slots
    // Per family and slot: for how many seconds short lives were heard, and how many they were.
    var filled: [UInt8: [(seconds: Int, count: Int)]] = [:]
    for track in tracks
    where track.lifetime < WatchEngine.life && track.exclusion == nil && track.last >= trip.begin
      && track.first <= trip.end && LinkTable.chains[Int(track.identifier.code)]
    {
      let first = max(slots.lowerBound, UInt32(track.first / Slots.length))
      let last = min(slots.upperBound, UInt32(track.last / Slots.length) + 1)
      guard first < last else { continue }
      let code = track.identifier.code
      if filled[code] == nil {
        filled[code] = Array(repeating: (seconds: 0, count: 0), count: slots.count)
      }
      for slot in first..<last {
        let begin = Int(slot) * Slots.length
        let time = min(track.last, begin + Slots.length) - max(track.first, begin)
        filled[code]?[Int(slot - slots.lowerBound)].seconds += max(0, time)
        filled[code]?[Int(slot - slots.lowerBound)].count += 1
      }
    }
    let heard = listened.count(in: slots).heard
    guard heard > 0 else { return }
    for (code, slots) in filled.sorted(by: { $0.key < $1.key }) {
      // Two at a time are at most four minutes in a slot.
      let full = slots.filter { $0.count > 0 && $0.seconds <= 2 * Slots.length }
      guard full.count * 5 >= heard * 4, full.contains(where: { $0.seconds > 0 }) else { continue }
      shortLived.append((code, trip.id, trip.begin / WatchEngine.day))
      judgeShortLived(code)
    }
  }

  private mutating func judgeShortLived(_ code: UInt8) {
    let trips = shortLived.filter { $0.code == code }.compactMap { travel.trip($0.trip) }
    guard trips.count >= 3, let first = trips.first, let last = trips.last,
      first.begin / WatchEngine.day < last.begin / WatchEngine.day,
      shortLivedTold[code].map({ now - $0 >= 7 * WatchEngine.day }) ?? true
    else { return }
    shortLivedTold[code] = now
    var verdict = Verdict(grade: .possible, reasons: [.shortLived])
    // That it was one and the same cannot be shown.
    verdict.confidence = 0
    verdict.trips = trips.count
    verdict.places = Set(trips.flatMap { [$0.from, $0.to] }).count
    verdict.minutes = (now - first.begin) / 60
    verdict.metres = trips.reduce(0) { $0 + Int($1.metres) }
    var newest: Int32?
    for number in tracks.indices
    where tracks[number].identifier.code == code && tracks[number].lifetime < WatchEngine.life
      && tracks[number].last >= last.begin
    {
      newest = Int32(number)
    }
    guard let newest else { return }
    tally.tell(.possible)
    findings.append(finding(newest, verdict))
  }
}
