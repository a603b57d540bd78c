import Bluetooth
import Foundation
import LunaCore
import LunaOwner
import LunaProtocol
import Testing

struct EventExportTests {
  private static let start: Int64 = 1_795_255_200_000

  private static func event(
    _ minutes: Int64, _ latitude: Double, _ longitude: Double, accuracy: Double? = 12.5,
    altitude: Double? = nil, isPlausible: Bool = true, battery: BatteryLevel = .normal,
    isSimulated: Bool = false
  ) throws -> Event {
    let time = start + minutes * 60_000
    return Event(
      record: try LocationRecord(
        ReportedLocation(
          collectedAt: time, latitude: latitude, longitude: longitude, altitude: altitude,
          horizontalAccuracy: accuracy, rssi: -60, isSimulated: isSimulated)),
      eid: EID(value: 0xABCD), heid: HEID(high: 1, low: 2), period: 5,
      status: .success(TrackerStatus(battery: battery)),
      receivedAt: Timestamp(microseconds: (time + 1000) * 1000), isPlausible: isPlausible)
  }

  private static func track() throws -> [Event] {
    [
      try event(0, 52.5, 13.25, altitude: -3.25), try event(10, 52.501, 13.252, battery: .low),
      try event(20, 52.51, 13.26, isPlausible: false), try event(30, 52.502, 13.255, accuracy: nil),
    ]
  }

  /// Whether a text is well-formed XML, by a parser that is not ours.
  private func isXML(_ text: String) -> Bool { XMLCheck.isWellFormed(text) }

  @Test func writesGPX() throws {
    let text = EventExport.gpx.text(try Self.track(), name: "<Keys> & \"co\"\u{1}")
    #expect(isXML(text))
    #expect(text.contains("<name>&lt;Keys&gt; &amp; &quot;co&quot;\\x01</name>"))
    #expect(text.contains("<trkpt lat=\"52.5000000\" lon=\"13.2500000\"><ele>-3.25</ele>"))
    #expect(text.contains("<time>2026-11-21T10:00:00.000000Z</time>"))
    #expect(text.contains("accuracy 12.5 m, battery low"))
    // No part of the way.
    #expect(text.contains("<wpt lat=\"52.5100000\" lon=\"13.2600000\">"))
    #expect(text.contains("implausible time</cmt></wpt>"))
    #expect(text.split(separator: "<trkpt").count == 4)
  }

  @Test func writesGeoJSON() throws {
    let text = EventExport.geojson.text(try Self.track(), name: "Keys \"1\"")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["type"] as? String == "FeatureCollection")
    let features = try #require(object["features"] as? [[String: Any]])
    #expect(features.count == 5)
    let line = try #require(features[0]["geometry"] as? [String: Any])
    #expect(line["type"] as? String == "LineString")
    #expect((line["coordinates"] as? [[Double]])?.count == 3)
    let point = try #require(features[1]["geometry"] as? [String: Any])
    #expect(point["coordinates"] as? [Double] == [13.25, 52.5, -3.25])
    let properties = try #require(features[3]["properties"] as? [String: Any])
    #expect(properties["plausible"] as? Bool == false)
    // The names of the vocabulary; what a tracker does not tell is not made up.
    let told = try features.dropFirst().map { try #require($0["properties"] as? [String: Any]) }
    #expect(told.map { $0["batteryLow"] as? Bool } == [false, true, false, false])
    #expect(told.allSatisfy { $0["batteryStatus"] == nil })
    let silent = EventExport.geojson.text([try Self.event(0, 1, 1, battery: .unknown)], name: "x")
    #expect(!silent.contains("battery"))
  }

  /// Nobody should take one for a place where something was.
  @Test(arguments: [
    (EventExport.gpx, "<cmt>accuracy 12.5 m, simulated</cmt>"),
    (EventExport.geojson, "\"simulated\":true"),
    (EventExport.kml, "<description>simulated</description>"),
    (EventExport.csv, ",true\r\n"),
  ])
  func marksWhatIsSimulated(form: EventExport, mark: String) throws {
    let simulated = form.text([try Self.event(0, 1, 1, isSimulated: true)], name: "x")
    #expect(simulated.contains(mark))
    let real = form.text([try Self.event(0, 1, 1)], name: "x")
    #expect(!real.contains(mark))
  }

  /// A line across it would go around the Earth.
  @Test func noLineCrossesTheDateLine() throws {
    func line(_ places: [(Double, Double)]) throws -> (String?, Any?) {
      let events = try places.map { try Self.event(0, $0.0, $0.1) }
      let text = EventExport.geojson.text(events, name: "x")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let features = try #require(object["features"] as? [[String: Any]])
      let geometry = try #require(features[0]["geometry"] as? [String: Any])
      return (geometry["type"] as? String, geometry["coordinates"])
    }
    let (type, pieces) = try line([(10, 178), (11, 179), (15, -178), (15, -177), (15, 179)])
    #expect(type == "MultiLineString")
    #expect(
      pieces as? [[[Double]]] == [
        [[178, 10], [179, 11], [180, 12.3333333]],
        [[-180, 12.3333333], [-178, 15], [-177, 15], [-180, 15]],
        [[180, 15], [179, 15]],
      ])
    // From the date line itself.
    let (_, edge) = try line([(10, -180), (11, 179)])
    #expect(edge as? [[[Double]]] == [[[-180, 10], [-180, 10]], [[180, 10], [179, 11]]])
    #expect(try line([(10, -90), (11, 90)]).0 == "LineString")
  }

  @Test func writesKML() throws {
    let text = EventExport.kml.text(try Self.track(), name: "A&B")
    #expect(isXML(text))
    #expect(text.contains("<coordinates>13.2500000,52.5000000</coordinates>"))
    // In the order of the schema.
    #expect(text.contains("<LineString><tessellate>1</tessellate><coordinates>"))
  }

  @Test func writesCSV() throws {
    let lines = EventExport.csv.text(try Self.track(), name: "x")
      .components(separatedBy: "\r\n")
    #expect(lines.count == 6)
    #expect(
      lines[0]
        == "time,latitude,longitude,altitude,horizontalAccuracy,speed,course,rssi,batteryLow,"
        + "plausible,storedAt,eid,simulated")
    #expect(
      lines[1]
        == "2026-11-21T10:00:00.000000Z,52.5000000,13.2500000,-3.25,12.5,,,-60,false,true,"
        + "2026-11-21T10:00:01.000000Z,000000000000abcd,false")
    #expect(lines[5].isEmpty)
  }

  @Test func drawsAMap() throws {
    let text = EventExport.svg.text(try Self.track(), name: "Keys & more")
    #expect(isXML(text))
    #expect(text.components(separatedBy: "class=\"event\"").count == 5)
    #expect(text.components(separatedBy: "class=\"accuracy\"").count == 4)
    #expect(text.components(separatedBy: "class=\"track\"").count == 2)
    #expect(text.contains("class=\"scale\"") && text.contains(">N</text>"))
    #expect(text.contains("2026-11-21 10:00"))
    #expect(text.contains("Keys &amp; more"))
  }

  @Test func theMapIsTrueToScale() throws {
    // 0.01 degrees of latitude are 1112 m; the picture may not bend them.
    let text = EventExport.svg.text(
      [try Self.event(0, 52, 13), try Self.event(1, 52.01, 13)], name: "x")
    let track = try #require(text.components(separatedBy: "points=\"").dropFirst().first)
    let numbers = track.prefix { $0 != "\"" }.split { " ,".contains($0) }.compactMap {
      Double($0)
    }
    #expect(numbers.count == 4)
    #expect(numbers[0] == numbers[2])
    let pixels = numbers[1] - numbers[3]
    #expect(pixels > 300)
    let scale = try #require(text.components(separatedBy: "M20 606v8h").dropFirst().first)
    let bar = try #require(Double(scale.prefix { $0 != "v" }))
    let name = try #require(text.components(separatedBy: "y=\"602\">").dropFirst().first)
    let metres = try #require(Double(name.prefix { $0 != " " }))
    #expect(abs(metres / bar - 1112 / pixels) / (metres / bar) < 0.01)
  }

  @Test func drawsWhateverThereIs() throws {
    for events in [
      [], [try Self.event(0, 0, 0)], [try Self.event(0, 90, 0), try Self.event(0, -90, 179)],
      [try Self.event(0, 0, 179.999), try Self.event(0, 0, -179.999)],
      (0..<500).map { _ in try? Self.event(0, 1, 1) }.compactMap(\.self),
    ] {
      for export in EventExport.allCases {
        let text = export.text(events, name: "x")
        #expect(!text.contains("nan") && !text.contains("inf"))
        if export != .csv, export != .geojson { #expect(isXML(text)) }
      }
    }
    // Across the date line the two stay neighbours.
    let text = EventExport.svg.text(
      [try Self.event(0, 0, 179.999), try Self.event(1, 0, -179.999)], name: "x")
    let track = try #require(text.components(separatedBy: "points=\"").dropFirst().first)
    let numbers = track.prefix { $0 != "\"" }.split { " ,".contains($0) }.compactMap {
      Double($0)
    }
    #expect(numbers[2] > numbers[0])
  }

  /// The places of a kind of element, x and y, as a text has them.
  private func numbers(_ text: String, after start: String, before end: Character) -> [Double] {
    text.components(separatedBy: start).dropFirst().flatMap { part in
      part.prefix { $0 != end }.split { " ,".contains($0) }.compactMap { Double($0) }
    }
  }

  @Test func linksToAPublicMap() throws {
    let text = EventExport.svg.text(
      [try Self.event(0, 52.5, 13.25), try Self.event(10, -0.001, -13.25, isPlausible: false)],
      name: "x")
    #expect(
      text.contains(
        "<a href=\"https://www.openstreetmap.org/?mlat=52.50000&amp;mlon=13.25000"
          + "#map=17/52.50000/13.25000\" target=\"_blank\" rel=\"noopener noreferrer\">"))
    #expect(text.contains("<title>52.50000, 13.25000, 2026-11-21T10:00:00.000000Z</title>"))
    #expect(
      text.contains(
        "<title>-0.00100, -13.25000, 2026-11-21T10:10:00.000000Z (implausible time)</title>"))
    #expect(text.contains("last at 52.50000, 13.25000<"), "the last that can be true")
  }

  @Test func anOutlierDoesNotShrinkTheRest() throws {
    let near = try (0..<30).map { index in
      try Self.event(Int64(index), 52.5 + Double(index % 6) * 0.0005, 13.25)
    }
    var events = near
    events.insert(try Self.event(15, 52.5, 14), at: 15)
    let text = EventExport.svg.text(events, name: "x")
    #expect(isXML(text))
    #expect(text.components(separatedBy: "class=\"event\"").count == 31)
    #expect(text.components(separatedBy: "class=\"outlier\"").count == 2)
    #expect(text.contains(">51 km</text>"))
    #expect(text.contains("31 events, 1 far away"))
    // The others are as large as without it.
    let alone = EventExport.svg.text(near, name: "x")
    #expect(
      numbers(text, after: "class=\"event\" cx=\"", before: "\"")
        == numbers(alone, after: "class=\"event\" cx=\"", before: "\""))
    #expect(
      numbers(text, after: "M20 606v8h", before: "v")
        == numbers(alone, after: "M20 606v8h", before: "v"))
    // It stands on the right, turned outwards, and the way there ends at it.
    #expect(numbers(text, after: "translate(", before: ")").first == 884)
    let angle = try #require(numbers(text, after: "rotate(", before: ")").first)
    #expect(abs(angle) < 5)
    let track = numbers(text, after: "points=\"", before: "\"")
    #expect(track.count == 62)
    #expect(track.allSatisfy { $0 >= 0 && $0 <= 900 })
  }

  @Test func noWayIsMadeUpBetweenOutliers() throws {
    var events = try (0..<30).map { try Self.event(Int64($0), 52.5, 13.25) }
    events += [try Self.event(31, 52.5, 14), try Self.event(32, 52.5, 12)]
    let text = EventExport.svg.text(events, name: "x")
    #expect(text.components(separatedBy: "class=\"outlier\"").count == 3)
    #expect(text.components(separatedBy: "class=\"track\"").count == 2)
    #expect(numbers(text, after: "points=\"", before: "\"").count == 62)
  }

  @Test func firstAndLastTimesAreAlwaysGiven() throws {
    let events = try (0..<300).map { index in
      try Self.event(
        Int64(index), 52.5 + sin(Double(index)) * 0.002, 13.25 + cos(Double(index)) * 0.003)
    }
    let text = EventExport.svg.text(events, name: "x")
    #expect(text.contains(">2026-11-21 10:00</text>"))
    #expect(text.contains(">2026-11-21 14:59</text>"))
    // Of one event one time.
    let one = EventExport.svg.text([events[0]], name: "x")
    #expect(one.components(separatedBy: "class=\"label\"").count == 2)
  }
}
