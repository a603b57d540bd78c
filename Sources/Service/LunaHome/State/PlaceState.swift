/// On which side of a place's border a tracker is.
struct PlaceState: Hashable, Sendable, Codable {
  /// The place as it was: another one begins anew.
  var shape: String
  var isInside: Bool
  /// A change that waits to be confirmed: since when, and by which report.
  var since: Int64?
  var report: String?
  var isLate = false
  /// Since when it is inside by an event, by boot time.
  var entered: Int64?
  /// Rules whose trigger `dwell` has run since.
  var dwelt: [String] = []

  /// Its tracker has changed sides, at a boot time.
  mutating func cross(isInside: Bool, at boot: Int64) {
    self.isInside = isInside
    since = nil
    report = nil
    entered = isInside ? boot : nil
    dwelt = []
  }

  /// When a change that waits is one, if nothing contradicts it; the end of time where none waits.
  func due(_ place: Place) -> Int64 {
    guard let since, shape == place.shape else { return .max }
    return since + (isInside ? place.leaveAfter : place.enterAfter).microseconds
  }
}
