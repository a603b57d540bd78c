import Bluetooth
import LunaCore
import LunaProtocol

/// Comma-separated values (RFC 4180).
enum CSVDocument {
  private static let titles = [
    "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "speed", "course", "rssi",
    "batteryLow", "plausible", "receivedAt", "eid",
  ]

  static func text(_ events: [Event]) -> String {
    var text = titles.joined(separator: ",") + "\r\n"
    for event in events {
      let location = event.location
      let columns = [
        event.collectedAt.rfc3339, DecimalNumber.degrees(event.latitude),
        DecimalNumber.degrees(event.longitude),
        location.altitude.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.horizontalAccuracy.map { DecimalNumber.text($0, digits: 1) } ?? "",
        location.speed.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.course.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.rssi.map(String.init) ?? "", event.batteryStatus ? "true" : "false",
        event.isPlausible ? "true" : "false", event.receivedAt.rfc3339, event.eid,
      ]
      text += columns.joined(separator: ",") + "\r\n"
    }
    return text
  }
}
