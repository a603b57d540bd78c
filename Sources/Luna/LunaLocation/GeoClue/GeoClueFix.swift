import Bluetooth
import LunaCore
import SystemBus

/// Reads the properties of org.freedesktop.GeoClue2.Location.
enum GeoClueFix {
  /// The position; nil when there is none.
  static func read(_ properties: BusValue) -> LocationFix? {
    guard let latitude = number(properties["Latitude"]),
      let longitude = number(properties["Longitude"])
    else { return nil }
    var fix = LocationFix(latitude: latitude, longitude: longitude)
    fix.horizontalAccuracy = number(properties["Accuracy"]).flatMap { $0 >= 0 ? $0 : nil }
    // -DBL_MAX, and -1 for the two others, say that it is not known.
    if let altitude = number(properties["Altitude"]), abs(altitude) < 100_000 {
      fix.altitude = altitude
    }
    if let speed = number(properties["Speed"]), speed >= 0 { fix.speed = speed }
    if let heading = number(properties["Heading"]), 0...360 ~= heading { fix.course = heading }
    if case .structure(let parts)? = properties["Timestamp"]?.content, parts.count == 2,
      let seconds = parts[0].integer, let microseconds = parts[1].integer, seconds > 0
    {
      let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
      fix.measuredAt = Timestamp(
        microseconds: overflow ? .max : product &+ Int64(microseconds % 1_000_000))
    }
    return fix
  }

  private static func number(_ value: BusValue?) -> Double? {
    guard case .double(let number)? = value?.content, number.isFinite else { return nil }
    return number
  }
}
