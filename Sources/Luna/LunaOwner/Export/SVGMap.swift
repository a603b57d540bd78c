import Bluetooth
import LunaCore
import LunaProtocol
import SafeText

/// A map of events as an SVG picture, made without any network: the track, how exact each position
/// is, times, a scale and north.
struct SVGMap {
  private static let width = 900.0
  private static let height = 640.0
  private static let margin = 70.0
  /// How close two times may stand, pixels.
  private static let labelDistance = 64.0

  private let events: [Event]
  private let name: String
  private let projection: MapProjection

  init(_ events: [Event], name: String) {
    self.events = events
    self.name = name
    projection = MapProjection(
      events.map { ($0.latitude, $0.longitude, $0.location.horizontalAccuracy ?? 0) },
      width: SVGMap.width, height: SVGMap.height, margin: SVGMap.margin)
  }

  private static func number(_ value: Double) -> String { DecimalNumber.text(value, digits: 1) }

  var text: String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="900" height="640" viewBox="0 0 900 640" \
      font-family="sans-serif" font-size="12">
      <title>\(XMLText.escaped(name))</title>
      <rect width="900" height="640" fill="#f7f7f2"/>

      """
    text += grid
    text += accuracies
    text += track
    text += points
    text += labels
    text += legend
    return text + "</svg>\n"
  }

  private func place(_ event: Event) -> (x: Double, y: Double) {
    projection.place(event.latitude, event.longitude)
  }

  /// Lines as far apart as the scale bar is long.
  private var grid: String {
    let step = projection.roundLength(within: 160) / projection.scale
    var path = ""
    for offset in stride(from: 0, through: SVGMap.width / 2, by: step) {
      for x in Set([SVGMap.width / 2 - offset, SVGMap.width / 2 + offset]).sorted() {
        path += "M\(SVGMap.number(x)) 0V640"
      }
    }
    for offset in stride(from: 0, through: SVGMap.height / 2, by: step) {
      for y in Set([SVGMap.height / 2 - offset, SVGMap.height / 2 + offset]).sorted() {
        path += "M0 \(SVGMap.number(y))H900"
      }
    }
    return "<path d=\"\(path)\" stroke=\"#e2e2da\" fill=\"none\"/>\n"
  }

  private var accuracies: String {
    var text =
      "<g fill=\"#3b7dd8\" fill-opacity=\"0.10\" stroke=\"#3b7dd8\" stroke-opacity=\"0.35\">\n"
    for event in events {
      guard let accuracy = event.location.horizontalAccuracy else { continue }
      let (x, y) = place(event)
      let radius = accuracy / projection.scale
      text += "<circle class=\"accuracy\" cx=\"\(SVGMap.number(x))\" cy=\"\(SVGMap.number(y))\""
      text += " r=\"\(SVGMap.number(radius))\"/>\n"
    }
    return text + "</g>\n"
  }

  /// Implausible events are shown, and are no part of the way.
  private var track: String {
    let places = events.filter(\.isPlausible).map(place)
    guard places.count > 1 else { return "" }
    let list = places.map { "\(SVGMap.number($0.x)),\(SVGMap.number($0.y))" }
    return "<polyline class=\"track\" points=\"\(list.joined(separator: " "))\" fill=\"none\""
      + " stroke=\"#1f4e8c\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
  }

  private var points: String {
    var text = ""
    for (index, event) in events.enumerated() {
      let (x, y) = place(event)
      let isLast = index == events.count - 1
      let fill = !event.isPlausible ? "none" : event.batteryStatus ? "#d8893b" : "#1f4e8c"
      text += "<circle class=\"event\" cx=\"\(SVGMap.number(x))\" cy=\"\(SVGMap.number(y))\""
      text += " r=\"\(isLast ? 6 : 4)\" fill=\"\(fill)\" stroke=\"#1f4e8c\">"
      text += "<title>\(event.collectedAt.rfc3339)\(event.isPlausible ? "" : " (implausible time)")"
      text += "</title></circle>\n"
    }
    return text
  }

  /// Times of the first and the last event, and of others where there is room.
  private var labels: String {
    var text = ""
    var taken: [(x: Double, y: Double)] = []
    let order = [events.count - 1, 0] + Array(events.indices.dropFirst().dropLast())
    for index in order where events.indices.contains(index) {
      let (x, y) = place(events[index])
      let isFree = taken.allSatisfy {
        abs($0.x - x) > 2 * SVGMap.labelDistance || abs($0.y - y) > SVGMap.labelDistance / 3
      }
      guard isFree else { continue }
      taken.append((x, y))
      // To the left where the picture ends on the right.
      let isRight = x < SVGMap.width - 150
      text += "<text x=\"\(SVGMap.number(x + (isRight ? 9 : -9)))\" y=\"\(SVGMap.number(y - 6))\""
      text += isRight ? ">" : " text-anchor=\"end\">"
      text += "\(SVGMap.time(events[index].collectedAt))</text>\n"
    }
    return text
  }

  /// `2026-11-21 10:42`
  private static func time(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  private var legend: String {
    var text = "<text x=\"20\" y=\"28\" font-size=\"18\">\(XMLText.escaped(name))</text>\n"
    if let first = events.first, let last = events.last {
      text += "<text x=\"20\" y=\"48\">\(SVGMap.time(first.collectedAt)) to "
      text += "\(SVGMap.time(last.collectedAt)) UTC, \(events.count) events</text>\n"
    } else {
      text += "<text x=\"20\" y=\"48\">no events</text>\n"
    }
    let length = projection.roundLength(within: 160)
    let pixels = SVGMap.number(length / projection.scale)
    let name =
      length >= 1000
      ? "\(DecimalNumber.text(length / 1000, digits: 0)) km"
      : "\(DecimalNumber.text(length, digits: length < 1 ? 3 : 0)) m"
    text += "<path class=\"scale\" d=\"M20 606v8h\(pixels)v-8\" fill=\"none\" stroke=\"#333\"/>"
    text += "<text x=\"24\" y=\"602\">\(name)</text>\n"
    text += "<path d=\"M868 60l-7 22l7 -5l7 5z\" fill=\"#333\"/>"
    return text + "<text x=\"863\" y=\"54\">N</text>\n"
  }
}
