import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol

/// GeoJSON (RFC 7946): a line, and a point for each event.
enum GeoJSONDocument {
  static func text(_ events: [Event], name: String) -> String {
    var features: [JSONValue] = []
    let plausible = events.filter(\.isPlausible)
    if plausible.count > 1 {
      let lines = GeoJSONDocument.lines(plausible)
      features.append(
        lines.count == 1
          ? feature("LineString", lines[0], ["name": .string(name)])
          : feature("MultiLineString", .array(lines), ["name": .string(name)]))
    }
    for event in events {
      var properties: JSONObject = [
        "name": .string(name), "time": .string(event.collectedAt.rfc3339),
        "plausible": .bool(event.isPlausible),
      ]
      if event.record.isSimulated { properties.append("simulated", true) }
      if let isLow = event.batteryLow { properties.append("batteryLow", .bool(isLow)) }
      if let accuracy = event.location.horizontalAccuracy {
        properties.append("horizontalAccuracy", .real(accuracy))
      }
      features.append(feature("Point", position(event), properties))
    }
    return JSONValue.object([
      "type": "FeatureCollection", "features": .array(features),
    ]).description + "\n"
  }

  /// The way in pieces of which none crosses the date line (RFC 7946, 3.1.9): it would go around the Earth.
  private static func lines(_ events: [Event]) -> [JSONValue] {
    var (lines, line): ([JSONValue], [JSONValue]) = ([], [])
    var last: Event?
    for event in events {
      if let last, abs(event.longitude - last.longitude) > 180 {
        let side: Double = last.longitude < 0 ? -180 : 180
        let width = 360 - abs(event.longitude - last.longitude)
        let part = width > 0 ? (180 - abs(last.longitude)) / width : 0
        let latitude = last.latitude + part * (event.latitude - last.latitude)
        let crossing = JSONValue.real((latitude * 1e7).rounded() / 1e7)
        lines.append(.array(line + [.array([.real(side), crossing])]))
        line = [.array([.real(-side), crossing])]
      }
      line.append(position(event))
      last = event
    }
    return lines + [.array(line)]
  }

  /// Longitude first (RFC 7946, 3.1.1).
  private static func position(_ event: Event) -> JSONValue {
    var numbers: [JSONValue] = [.real(event.longitude), .real(event.latitude)]
    if let altitude = event.location.altitude { numbers.append(.real(altitude)) }
    return .array(numbers)
  }

  private static func feature(
    _ type: String, _ coordinates: JSONValue, _ properties: JSONObject
  ) -> JSONValue {
    .object([
      "type": "Feature",
      "geometry": .object(["type": .string(type), "coordinates": coordinates]),
      "properties": .object(properties),
    ])
  }
}
