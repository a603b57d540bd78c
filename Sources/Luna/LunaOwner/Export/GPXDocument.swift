import Bluetooth
import LunaCore
import LunaProtocol
import SafeText

/// GPX 1.1 (https://www.topografix.com/GPX/1/1/): a track, and a waypoint for each implausible event.
enum GPXDocument {
  static func text(_ events: [Event], name: String) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Luna" xmlns="http://www.topografix.com/GPX/1/1">

      """
    // The schema fixes the order, also within a point.
    for event in events where !event.isPlausible { text += point("wpt", event) }
    text += "<trk><name>\(XMLText.escaped(name))</name><trkseg>\n"
    for event in events where event.isPlausible { text += point("trkpt", event) }
    return text + "</trkseg></trk>\n</gpx>\n"
  }

  private static func point(_ element: String, _ event: Event) -> String {
    var text = "<\(element) lat=\"\(DecimalNumber.degrees(event.latitude))\""
    text += " lon=\"\(DecimalNumber.degrees(event.longitude))\">"
    if let altitude = event.location.altitude {
      text += "<ele>\(DecimalNumber.text(altitude, digits: 2))</ele>"
    }
    text += "<time>\(event.collectedAt.rfc3339)</time>"
    if let comment = comment(event) { text += "<cmt>\(XMLText.escaped(comment))</cmt>" }
    return text + "</\(element)>\n"
  }

  /// What GPX has no element for.
  private static func comment(_ event: Event) -> String? {
    var parts: [String] = []
    if let accuracy = event.location.horizontalAccuracy {
      parts.append("accuracy \(DecimalNumber.text(accuracy, digits: 1)) m")
    }
    if event.batteryStatus { parts.append("battery low") }
    if event.record.isSimulated { parts.append("simulated") }
    if !event.isPlausible { parts.append("implausible time") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
