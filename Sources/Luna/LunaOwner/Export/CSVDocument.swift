import Bluetooth
import LunaCore
import LunaProtocol
import SafeText

/// Comma-separated values (RFC 4180).
enum CSVDocument {
  private static let titles = [
    "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "speed", "course", "rssi",
    "batteryLow", "plausible", "storedAt", "eid", "simulated",
  ]

  static func text(_ events: [Event]) -> String {
    var text = CSVCell.row(titles) + "\r\n"
    for event in events {
      let location = event.location
      let batteryLow = event.batteryLow.map { $0 ? "true" : "false" } ?? ""
      let columns: [String] = [
        event.collectedAt.rfc3339, DecimalNumber.degrees(event.latitude),
        DecimalNumber.degrees(event.longitude),
        location.altitude.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.horizontalAccuracy.map { DecimalNumber.text($0, digits: 1) } ?? "",
        location.speed.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.course.map { DecimalNumber.text($0, digits: 2) } ?? "",
        location.rssi.map(String.init) ?? "", batteryLow,
        event.isPlausible ? "true" : "false", event.receivedAt.rfc3339, event.eid,
        event.record.isSimulated ? "true" : "false",
      ]
      text += CSVCell.row(columns) + "\r\n"
    }
    return text
  }
}
