import Bluetooth
import LunaCore

/// Visits and trips, from fixes.
struct Travel: Sendable {
  private struct Point {
    let time: Int
    let fix: WatchFix
  }

  private struct Visit {
    let place: Int
    let latitude: Double
    let longitude: Double
    let begin: Int
    var last: Int
  }

  /// How long somewhere makes a visit, s.
  private static let visitTime = 300
  /// How far a trip goes at least, m.
  private static let tripLength = 500.0
  /// Worse fixes say nothing, m.
  private static let worst = 150.0
  private static let mostPlaces = 1_024

  private(set) var places: [Place] = []
  /// The trips of the last 14 days.
  private(set) var trips: [Trip] = []
  private(set) var tripCount = 0
  private(set) var lastFix: Int?
  private var visit: Visit?
  private var left: Visit?
  private var farthest = 0.0
  private var window: [Point] = []

  /// Nobody has been anywhere yet.
  init() {}

  /// It goes on from places and trips of before; where the box is now is not known.
  init(_ places: [Place], _ trips: [Trip]) {
    self.places = places
    self.trips = trips
    tripCount = trips.last.map { $0.id + 1 } ?? 0
  }

  /// The place of the present visit.
  var place: Int? { visit?.place }
  /// When the present visit was left, while it is not known whether that is so.
  var isMoving: Bool { visit == nil }

  /// Takes a fix.
  mutating func take(_ fix: WatchFix, at time: Int) {
    guard (fix.accuracy ?? 20) <= Travel.worst, abs(fix.latitude) <= 90, abs(fix.longitude) <= 180
    else { return }
    lastFix = time
    if let present = visit {
      if metres(present, fix) <= Place.radius {
        places[present.place].stay(from: present.last, to: time)
        visit?.last = time
        window.removeAll(keepingCapacity: true)
        return
      }
      window.append(Point(time: time, fix: fix))
      // One fix alone may be a bad one.
      guard window.count > 1 else { return }
      leave(present)
    } else {
      window.append(Point(time: time, fix: fix))
    }
    if let left { for point in window { farthest = max(farthest, metres(left, point.fix)) } }
    while let first = window.first, metres(first.fix, fix) > Place.radius {
      window.removeFirst()
    }
    if let first = window.first, time - first.time >= Travel.visitTime { arrive(first, time) }
  }

  private mutating func leave(_ present: Visit) {
    if let index = trips.indices.last, trips[index].visitEnd == nil {
      trips[index].visitEnd = present.last
    }
    left = present
    farthest = 0
    visit = nil
  }

  private mutating func arrive(_ first: Point, _ time: Int) {
    let place = number(of: first)
    var begin = first.time
    if let left {
      if farthest >= Travel.tripLength {
        trips.append(
          Trip(
            id: tripCount, begin: left.last, end: first.time, from: left.place, to: place,
            metres: farthest, visitEnd: nil))
        tripCount += 1
      } else if left.place == place {
        // It has hardly been away.
        begin = left.begin
        if let index = trips.indices.last, trips[index].visitEnd == left.last {
          trips[index].visitEnd = nil
        }
      }
    }
    places[place].stay(from: first.time, to: time)
    visit = Visit(
      place: place, latitude: first.fix.latitude, longitude: first.fix.longitude, begin: begin,
      last: time)
    left = nil
    window.removeAll(keepingCapacity: true)
  }

  private mutating func number(of point: Point) -> Int {
    for index in places.indices
    where Distance.metres(
      (places[index].latitude, places[index].longitude),
      (point.fix.latitude, point.fix.longitude)) <= Place.radius
    {
      return index
    }
    guard places.count >= Travel.mostPlaces else {
      places.append(Place(point.fix, at: point.time))
      return places.count - 1
    }
    // The one that was left longest ago makes room; what one has marked stays, whether one was there or not.
    var oldest = places.firstIndex { !$0.isMarked } ?? 0
    for index in places.indices
    where !places[index].isMarked && places[index].last < places[oldest].last {
      oldest = index
    }
    places[oldest] = Place(point.fix, at: point.time)
    return oldest
  }

  private func metres(_ visit: Visit, _ fix: WatchFix) -> Double {
    Distance.metres((visit.latitude, visit.longitude), (fix.latitude, fix.longitude))
  }

  private func metres(_ one: WatchFix, _ other: WatchFix) -> Double {
    Distance.metres((one.latitude, one.longitude), (other.latitude, other.longitude))
  }

  /// Forgets trips that ended before a time.
  mutating func forget(before time: Int) {
    while let first = trips.first, first.end < time { trips.removeFirst() }
  }

  /// The trip of a number; nil for one that is forgotten.
  func trip(_ id: Int) -> Trip? {
    guard let first = trips.first, id >= first.id, id - first.id < trips.count else { return nil }
    return trips[id - first.id]
  }

  mutating func count(_ id: Int) {
    guard let first = trips.first, id >= first.id, id - first.id < trips.count else { return }
    trips[id - first.id].isCounted = true
  }

  /// Whether a trip began or ended within some seconds of a time.
  func hasEdge(near time: Int, within seconds: Int) -> Bool {
    if let left, abs(left.last - time) <= seconds { return true }
    for trip in trips.reversed() {
      if trip.end < time - seconds - 86_400 { break }
      if abs(trip.begin - time) <= seconds || abs(trip.end - time) <= seconds { return true }
    }
    return false
  }

  /// No place is marked any more.
  mutating func unmark() {
    for index in places.indices { places[index].isMarked = false }
  }

  /// Marks the place of a position as known.
  mutating func mark(_ fix: WatchFix) {
    places[number(of: Point(time: lastFix ?? 0, fix: fix))].isMarked = true
  }
}
