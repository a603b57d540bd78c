import Bluetooth
import LunaCore
import LunaProtocol

/// Where the gateway is, as its reports tell. Jitter is damped: the position changes only when a fix
/// lies a minimum distance away.
struct PositionInUse: Sendable {
  var minimumDistance: Double = 0
  /// What is in the way of a newer fix, as far as is known; and what of it was told.
  var obstacle: String?
  var told: String?
  /// Whether there was a fresh fix a moment ago.
  var wasKnown = false
  private(set) var fix: LocationFix?
  /// The last fix, in use or not, and how old it was when.
  private var freshness: (age: Duration, at: Duration, isLasting: Bool)?

  /// Takes a fix that may be used.
  ///
  /// - Returns: whether the position changed.
  mutating func take(_ new: LocationFix, at moment: FinderMoment) -> Bool {
    var age: Duration = .zero
    if let date = new.measuredAt, LocationRules.isPlausible(moment.now) {
      age = max(.zero, .microseconds(moment.now.microseconds - date.microseconds))
    }
    freshness = (age, moment.elapsed, new.measuredAt == nil)
    guard let old = fix else {
      fix = new
      return true
    }
    guard
      Distance.metres(
        (old.latitude, old.longitude), (new.latitude, new.longitude)) >= minimumDistance
    else {
      // How one moves is no position, and belongs to the moment.
      fix?.speed = new.speed
      fix?.course = new.course
      return false
    }
    fix = new
    return true
  }

  /// Whether the last fix is not too old.
  func isFresh(at elapsed: Duration) -> Bool {
    guard let freshness else { return false }
    return freshness.isLasting
      || freshness.age + (elapsed - freshness.at) <= LocationRules.maximumAge
  }

  /// The location of something that is heard now; nil when nobody knows.
  func location(at moment: FinderMoment, rssi: Int?, isSimulated: Bool) -> ReportedLocation? {
    guard let fix, isFresh(at: moment.elapsed) else { return nil }
    return ReportedLocation(
      collectedAt: moment.now.unixMilliseconds, latitude: fix.latitude,
      longitude: fix.longitude, altitude: fix.altitude,
      horizontalAccuracy: fix.horizontalAccuracy, verticalAccuracy: fix.verticalAccuracy,
      speed: fix.speed, course: fix.course, rssi: rssi.flatMap { -128...126 ~= $0 ? $0 : nil },
      isSimulated: fix.isSimulated || isSimulated)
  }
}
