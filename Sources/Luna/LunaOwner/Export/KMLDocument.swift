import Bluetooth
import LunaCore
import LunaProtocol
import SafeText

/// KML 2.2 (OGC 07-147r2).
enum KMLDocument {
  static func text(_ events: [Event], name: String) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>\(XMLText.escaped(name))</name>

      """
    let plausible = events.filter(\.isPlausible)
    if plausible.count > 1 {
      // Along the ground: a straight line would go through hills.
      text += "<Placemark><name>\(XMLText.escaped(name))</name>"
      text += "<LineString><tessellate>1</tessellate><coordinates>"
      text += plausible.map(coordinates).joined(separator: " ")
      text += "</coordinates></LineString></Placemark>\n"
    }
    for event in events {
      text += "<Placemark><name>\(event.collectedAt.rfc3339)</name>"
      var notes: [String] = event.record.isSimulated ? ["simulated"] : []
      if !event.isPlausible { notes.append("implausible time") }
      if !notes.isEmpty {
        text += "<description>\(notes.joined(separator: ", "))</description>"
      }
      text += "<TimeStamp><when>\(event.collectedAt.rfc3339)</when></TimeStamp>"
      text += "<Point><coordinates>\(coordinates(event))</coordinates></Point></Placemark>\n"
    }
    return text + "</Document></kml>\n"
  }

  /// Longitude first; without the altitude, since KML's is above the sea.
  private static func coordinates(_ event: Event) -> String {
    "\(DecimalNumber.degrees(event.longitude)),\(DecimalNumber.degrees(event.latitude))"
  }
}
