import Bluetooth
import Glibc
import LunaCore
import LunaProtocol
import SafeText

/// A map of events as an SVG picture, made without any network: the track, how exact each position
/// is, times, a scale and north. Each event links to a public map, which learns of it only from who
/// follows the link.
struct SVGMap {
  private static let width = 900.0
  private static let height = 640.0
  private static let margin = 70.0
  /// Where outliers stand: below the legend and above the scale.
  private static let edge = MapBox(left: 16, top: 92, right: 884, bottom: 584)
  /// What the scale and north cover.
  private static let furniture = [
    MapBox(left: 16, top: 588, right: 196, bottom: 620),
    MapBox(left: 856, top: 40, right: 882, bottom: 86),
  ]
  /// Of how many times between the first and the last is tried whether there is room for them.
  private static let mostLabels = 100

  private let events: [Event]
  private let name: String
  private let projection: MapProjection
  /// Where each event stands.
  private let places: [MapPlace]

  init(_ events: [Event], name: String) {
    self.events = events
    self.name = name
    let frame = MapFrame(events)
    let projection = MapProjection(
      frame.framed, width: SVGMap.width, height: SVGMap.height, margin: SVGMap.margin)
    self.projection = projection
    let middle: MapBox.Point = (SVGMap.width / 2, SVGMap.height / 2)
    places = events.indices.map { index in
      let point = projection.place(events[index].latitude, events[index].longitude)
      // The picture may be wide enough for it all the same.
      if frame.isWithin[index] || SVGMap.edge.contains(point) {
        return MapPlace(x: point.x, y: point.y, distance: nil, angle: 0)
      }
      let border = SVGMap.edge.border(from: middle, towards: point)
      let angle = atan2(point.y - middle.y, point.x - middle.x) * 180 / .pi
      return MapPlace(x: border.x, y: border.y, distance: frame.distances[index], angle: angle)
    }
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
    for (event, place) in zip(events, places) where place.distance == nil {
      guard let accuracy = event.location.horizontalAccuracy else { continue }
      let radius = accuracy / projection.scale
      text += "<circle class=\"accuracy\" cx=\"\(SVGMap.number(place.x))\""
      text += " cy=\"\(SVGMap.number(place.y))\" r=\"\(SVGMap.number(radius))\"/>\n"
    }
    return text + "</g>\n"
  }

  /// The way in its pieces. Implausible events are shown, and are no part of it. To an outlier it goes as
  /// far as the edge; between two of them nobody knows whether it came through the picture.
  private var ways: [[MapBox.Point]] {
    var ways: [[MapBox.Point]] = []
    var isOutside = true
    for (event, place) in zip(events, places) where event.isPlausible {
      if ways.isEmpty || isOutside && place.distance != nil { ways.append([]) }
      ways[ways.count - 1].append(place.point)
      isOutside = place.distance != nil
    }
    return ways.filter { $0.count > 1 }
  }

  private var track: String {
    ways.map { way in
      let list = way.map { "\(SVGMap.number($0.x)),\(SVGMap.number($0.y))" }
      return "<polyline class=\"track\" points=\"\(list.joined(separator: " "))\" fill=\"none\""
        + " stroke=\"#1f4e8c\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
    }.joined()
  }

  private var points: String {
    var text = ""
    for (index, event) in events.enumerated() {
      let place = places[index]
      let link = MapLink(event.record)
      let fill = !event.isPlausible ? "none" : event.batteryStatus ? "#d8893b" : "#1f4e8c"
      text += "<a href=\"\(XMLText.escaped(link.page))\" target=\"_blank\""
      text += " rel=\"noopener noreferrer\">"
      if let distance = place.distance {
        text += "<path class=\"outlier\" d=\"M0 0L-13 -6v12z\" transform=\"translate("
        text += "\(SVGMap.number(place.x)) \(SVGMap.number(place.y)))"
        text += " rotate(\(SVGMap.number(place.angle)))\" fill=\"\(fill)\" stroke=\"#1f4e8c\">"
        text += SVGMap.tooltip(event, link, SVGMap.length(distance) + " away, ") + "</path></a>\n"
      } else {
        let radius = index == events.count - 1 ? 6 : 4
        text += "<circle class=\"event\" cx=\"\(SVGMap.number(place.x))\""
        text += " cy=\"\(SVGMap.number(place.y))\" r=\"\(radius)\" fill=\"\(fill)\""
        text += " stroke=\"#1f4e8c\">" + SVGMap.tooltip(event, link) + "</circle></a>\n"
      }
    }
    return text
  }

  private static func tooltip(_ event: Event, _ link: MapLink, _ distance: String = "") -> String {
    "<title>\(link.coordinates), \(distance)\(event.collectedAt.rfc3339)"
      + "\(event.isPlausible ? "" : " (implausible time)")</title>"
  }

  /// Times of the first and the last event, how far away outliers are, and other times where there is room.
  private var labels: String {
    var layout = LabelLayout(
      in: MapBox(left: 0, top: 0, right: SVGMap.width, bottom: SVGMap.height), lines: ways,
      points: places.map(\.point), taken: SVGMap.furniture + [legendBox])
    var text = ""
    let step = max(1, (events.count + SVGMap.mostLabels - 1) / SVGMap.mostLabels)
    var order = [events.count - 1]
    if events.count > 1 { order.append(0) }
    for index in order where events.indices.contains(index) && places[index].distance == nil {
      text += label(SVGMap.time(events[index].collectedAt), index, isRequired: true, &layout)
    }
    var told: [MapPlace] = []
    for index in events.indices {
      let place = places[index]
      guard let distance = place.distance else { continue }
      // Of several at one spot one has to be told.
      let isNew = told.allSatisfy { abs($0.x - place.x) > 24 || abs($0.y - place.y) > 24 }
      told.append(place)
      // The first and the last say also when.
      let time = order.contains(index) ? ", " + SVGMap.time(events[index].collectedAt) : ""
      guard isNew || !time.isEmpty else { continue }
      text += label(SVGMap.length(distance) + time, index, isRequired: true, &layout)
    }
    for index in stride(from: 1, to: max(1, events.count - 1), by: step)
    where places[index].distance == nil {
      text += label(SVGMap.time(events[index].collectedAt), index, isRequired: false, &layout)
    }
    return text
  }

  private func label(
    _ words: String, _ index: Int, isRequired: Bool, _ layout: inout LabelLayout
  ) -> String {
    guard let label = layout.place(words, at: places[index].point, isRequired: isRequired) else {
      return ""
    }
    // Fonts differ: a label is held where it is nearest to its point.
    let held: (x: Double, anchor: String) =
      switch label.side {
      case .rightAbove, .rightBelow: (label.box.left, "start")
      case .leftAbove, .leftBelow: (label.box.right, "end")
      case .above, .below: ((label.box.left + label.box.right) / 2, "middle")
      }
    return "<text class=\"label\" x=\"\(SVGMap.number(held.x))\""
      + " y=\"\(SVGMap.number(label.box.bottom - 3))\" text-anchor=\"\(held.anchor)\">"
      + "\(label.text)</text>\n"
  }

  /// `850 m`, `5.2 km`, `52 km`
  private static func length(_ metres: Double) -> String {
    metres < 1000
      ? "\(DecimalNumber.text(metres, digits: 0)) m"
      : "\(DecimalNumber.text(metres / 1000, digits: metres < 10_000 ? 1 : 0)) km"
  }

  /// `2026-11-21 10:42`
  private static func time(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// The lines of the legend below the name.
  private var facts: [String] {
    guard let first = events.first, let last = events.last else { return ["no events"] }
    let outliers = places.filter { $0.distance != nil }.count
    var count = "\(events.count) events"
    if outliers > 0 { count += ", \(outliers) far away" }
    let times = "\(SVGMap.time(first.collectedAt)) to \(SVGMap.time(last.collectedAt)) UTC"
    let place = events.last(where: \.isPlausible) ?? last
    return ["\(times), \(count)", "last at \(MapLink(place.record).coordinates)"]
  }

  /// What the legend covers. The name is half as large again as the other lines.
  private var legendBox: MapBox {
    let widths = [Double(name.count) * 1.5] + facts.map { Double($0.count) }
    let width = (widths.max() ?? 0) * LabelLayout.characterWidth
    return MapBox(left: 16, top: 8, right: 24 + width, bottom: 72)
  }

  private var legend: String {
    var text = "<text x=\"20\" y=\"28\" font-size=\"18\">\(XMLText.escaped(name))</text>\n"
    for (index, fact) in facts.enumerated() {
      text += "<text x=\"20\" y=\"\(48 + 18 * index)\">\(fact)</text>\n"
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
