/// Somewhere the box has been for a while.
struct Place: Sendable {
  /// Beyond this from the middle is another place, m.
  static let radius = 150.0

  let latitude: Double
  let longitude: Double
  /// The nights of the last 14 days that it was there, as days since 1970 by the sun.
  private(set) var nights: [Int] = []
  var last: Int
  /// Whether the user has said that it is known.
  var isMarked = false

  init(_ fix: WatchFix, at time: Int) {
    latitude = fix.latitude
    longitude = fix.longitude
    last = time
  }

  /// One of these parts.
  init(latitude: Double, longitude: Double, nights: [Int], last: Int, isMarked: Bool) {
    self.latitude = latitude
    self.longitude = longitude
    self.nights = nights
    self.last = last
    self.isMarked = isMarked
  }

  /// Notes the nights from one time to another. It is night from 2 to 5 o'clock by the sun, which needs no
  /// time zone.
  mutating func stay(from begin: Int, to end: Int) {
    last = end
    var time = begin
    while true {
      let solar = time + Int(longitude * 240)
      let day = solar / 86_400
      if (7_200..<18_000).contains(solar % 86_400), nights.last != day { nights.append(day) }
      guard time < end else { break }
      time = min(end, time + 1_800)
    }
    while let first = nights.first, first <= end / 86_400 - 14 { nights.removeFirst() }
  }

  /// Whether one sleeps there, or has said so.
  var isKnown: Bool { isMarked || nights.count >= 4 }
}
