/// What an engine has learned over days, for the process after it: the trips, where one sleeps, and what came along.
/// Times are those of the clock, s since 1970. What was heard slot by slot is not in it.
package struct WatchMemory: Codable, Sendable {
  /// Somewhere the box has been.
  struct KnownPlace: Codable, Sendable {
    let latitude: Double
    let longitude: Double
    let nights: [Int]
    let last: Int
    let isMarked: Bool
  }

  /// A trip, with how many slots of it were listened to.
  struct KnownTrip: Codable, Sendable {
    let id: Int
    let begin: Int
    let end: Int
    let from: Int
    let to: Int
    let metres: Double
    let visitEnd: Int
    let isCounted: Bool
    let listened: Int
  }

  /// What was heard of a trip.
  struct KnownRide: Codable, Sendable {
    let trip: Int
    let heard: Int
    let near: Int
    let after: Int
    let lastAfter: Int
  }

  /// An identifier that was on a trip, or in a thread with one that was.
  struct KnownTrack: Codable, Sendable {
    let identifier: String
    let first: Int
    let last: Int
    let firstTraits: UInt32
    let lastTraits: UInt32
    let lastState: UInt8
    let exclusion: String?
    let rides: [KnownRide]
    /// Where the one before it in its thread stands, which is before it; -1 for none.
    let previous: Int
    let confidence: Double
    let told: String?
    let toldAt: Int
    let toldTrips: Int
    /// nil in what older ones have kept.
    let isToldOfDays: Bool?
  }

  /// A trip that short lives of a family filled.
  struct KnownFill: Codable, Sendable {
    let family: String
    let trip: Int
    let day: Int
  }

  /// When short lives of a family were told of.
  struct KnownTelling: Codable, Sendable {
    let family: String
    let time: Int
  }

  let places: [KnownPlace]
  let trips: [KnownTrip]
  let tracks: [KnownTrack]
  let fills: [KnownFill]
  let tellings: [KnownTelling]
  let seconds: Int
  let gaps: Int
  let gapSeconds: Int
  let dropped: Int
  /// When something was heard last.
  let last: Int

  /// Whether an engine can go on from it: what was kept in a file may be anything.
  var isSound: Bool {
    for place in places {
      guard abs(place.latitude) <= 90, abs(place.longitude) <= 180, WatchMemory.isTime(place.last)
      else { return false }
    }
    for (number, trip) in trips.enumerated() {
      guard isSound(trip) else { return false }
      guard number > 0 else { continue }
      let before = trips[number - 1]
      guard trip.id == before.id + 1, trip.begin >= before.end else { return false }
    }
    for (number, track) in tracks.enumerated() {
      guard isSound(track, at: number) else { return false }
    }
    for fill in fills {
      guard WatchMemory.isTime(fill.trip), WatchMemory.isTime(fill.day) else { return false }
    }
    for telling in tellings {
      guard WatchMemory.isTime(telling.time) else { return false }
    }
    return [seconds, gaps, gapSeconds, dropped, last].allSatisfy { WatchMemory.isTime($0) }
  }

  private func isSound(_ trip: KnownTrip) -> Bool {
    let times = [trip.id, trip.begin, trip.end, trip.visitEnd, trip.listened]
    guard times.allSatisfy({ WatchMemory.isTime($0) }), trip.begin <= trip.end else { return false }
    guard places.indices.contains(trip.from), places.indices.contains(trip.to) else {
      return false
    }
    return trip.metres >= 0 && trip.metres <= 1e8
  }

  private func isSound(_ track: KnownTrack, at place: Int) -> Bool {
    let times = [track.first, track.last, track.toldAt, track.toldTrips]
    guard times.allSatisfy({ WatchMemory.isTime($0) }), track.first <= track.last else {
      return false
    }
    for ride in track.rides {
      let counts = [ride.trip, ride.heard, ride.near, ride.after, ride.lastAfter]
      guard counts.allSatisfy({ WatchMemory.isTime($0) }) else { return false }
    }
    return (-1..<place).contains(track.previous) && track.confidence >= 0 && track.confidence <= 1
  }

  /// Whether it can be a time, or a count: what is computed with it stays in range.
  private static func isTime(_ value: Int) -> Bool { (0...100_000_000_000).contains(value) }
}
