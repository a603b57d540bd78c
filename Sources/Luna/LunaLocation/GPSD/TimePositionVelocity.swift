import Bluetooth
import LunaCore
import LunaJSON

/// gpsd's report TPV (gpsd_json(5)).
struct TimePositionVelocity {
  private let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  /// 0 and 1: no fix; 2: without an altitude; 3: with one.
  var mode: Int64? {
    if case .integer(let mode)? = object["mode"] { mode } else { nil }
  }

  /// The position; nil when there is none.
  var fix: LocationFix? {
    guard let latitude = number("lat"), let longitude = number("lon") else { return nil }
    var fix = LocationFix(latitude: latitude, longitude: longitude)
    if case .string(let text)? = object["time"] { fix.measuredAt = Timestamp(rfc3339: text) }
    if mode == 3 {
      // `alt` is above the ellipsoid or the sea, depending on version and receiver.
      fix.altitude = number("altHAE")
      fix.verticalAccuracy = fix.altitude == nil ? nil : positive("epv")
    }
    fix.horizontalAccuracy = positive("eph") ?? both("epx", "epy")
    fix.speed = positive("speed")
    if let course = number("track"), 0...360 ~= course { fix.course = course }
    // STATUS_SIM of gps.h.
    if case .integer(8)? = object["status"] { fix.isSimulated = true }
    return fix
  }

  /// The error in both directions together.
  private func both(_ first: String, _ second: String) -> Double? {
    guard let first = positive(first), let second = positive(second) else { return nil }
    return (first * first + second * second).squareRoot()
  }

  private func positive(_ name: String) -> Double? {
    number(name).flatMap { $0 >= 0 ? $0 : nil }
  }

  private func number(_ name: String) -> Double? {
    switch object[name] {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
