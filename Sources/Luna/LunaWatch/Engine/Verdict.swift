/// What is to be said of a tracker.
struct Verdict: Sendable {
  var grade: WatchGrade
  var reasons: [WatchReason]
  var confidence = 1.0
  var trips = 0
  var places = 0
  var minutes = 0
  var metres = 0

  /// Counts the trips that it came along on.
  mutating func take(_ made: [WatchEngine.Journey], _ last: Int) {
    var seen: [Int] = []
    for journey in made {
      metres += Int(journey.trip.metres)
      for place in [journey.trip.from, journey.trip.to] where !seen.contains(place) {
        seen.append(place)
      }
    }
    trips = made.count
    places = seen.count
    if let first = made.first { minutes = (last - first.trip.begin) / 60 }
  }
}
