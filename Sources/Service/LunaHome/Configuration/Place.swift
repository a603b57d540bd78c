/// A circle on the map (HOME.md 5.2).
struct Place: Hashable, Sendable {
  let id: String
  let name: String
  let latitude: Double
  let longitude: Double
  /// Who is within is inside, m.
  let radius: Double
  /// Who is beyond is outside, m.
  let leaveRadius: Double
  let enterAfter: HomeDuration
  let leaveAfter: HomeDuration
  let dwell: HomeDuration?
  /// What makes it another place for those who are in it: not its name.
  let shape: String

  /// No degree of latitude is shorter, m.
  private static let degree = 110_500.0

  init?(_ node: SourceNode) {
    guard let id = node["id"]?.text, let latitude = node["latitude"]?.number,
      let longitude = node["longitude"]?.number, let radius = node["radius"]?.number
    else { return nil }
    self.id = id
    name = node["name"]?.text ?? id
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    leaveRadius = node["leaveRadius"]?.number ?? max(1.25 * radius, radius + 50)
    enterAfter = node["enterAfter"]?.duration ?? .seconds(0)
    leaveAfter = node["leaveAfter"]?.duration ?? .seconds(120)
    dwell = node["dwell"]?.duration
    shape = "\(latitude) \(longitude) \(radius) \(leaveRadius)"
  }

  /// What a fix says of it: whether it is inside; nil where it cannot tell.
  func says(_ fix: Fix) -> Bool? {
    // Most places are far away, which is seen at once.
    let atLeast = abs(latitude - fix.latitude) * Place.degree
    if atLeast - fix.accuracy > leaveRadius { return false }
    let distance = Geodesy.distance(latitude, longitude, fix.latitude, fix.longitude)
    if distance <= radius, distance + fix.accuracy <= leaveRadius { return true }
    if distance - fix.accuracy > leaveRadius { return false }
    return nil
  }
}

extension SourceNode {
  var duration: HomeDuration? { text.flatMap { HomeDuration($0) } }
}
