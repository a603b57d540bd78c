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
      features.append(
        feature("LineString", .array(plausible.map(position)), ["name": .string(name)]))
    }
    for event in events {
      var properties: JSONObject = [
        "name": .string(name), "time": .string(event.collectedAt.rfc3339),
        "plausible": .bool(event.isPlausible),
      ]
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
