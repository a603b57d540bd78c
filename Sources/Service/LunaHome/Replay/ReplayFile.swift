public import LunaJSON
import SafeText

/// Something that happened, to be judged again: a day of a home as JSON lines, a GPX track, or
/// GeoJSON as events of a tracker are written.
public struct ReplayFile: Sendable {
  /// An input, and when it happened, µs since 1970.
  public struct Entry: Sendable {
    /// What happened.
    public let input: HomeInput
    /// When it happened, µs since 1970.
    public let wall: Int64
  }

  /// The inputs in the order of their times.
  public let entries: [Entry]
  /// The lines or points that could not be read.
  public let damaged: Int

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: all of it.
  ///   - who: the tracker that a track is of.
  public init(_ bytes: [UInt8], who: String) throws(FormatError) {
    // The mark that some programs begin UTF-8 with.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let first = bytes.first { !ReplayFile.blanks.contains($0) }
    var found: [Entry]
    var damaged = 0
    if first == UInt8(ascii: "<") {
      found = ReplayFile.gpx(String(decoding: bytes, as: UTF8.self), who, &damaged)
      if found.isEmpty { throw FormatError("the file", "has no point of a GPX track with a time") }
    } else if first == UInt8(ascii: "{"), let whole = try? JSONReader.read(bytes),
      ReplayFile.isGeoJSON(whole)
    {
      found = ReplayFile.geoJSON(whole, who, &damaged)
      if found.isEmpty { throw FormatError("the file", "has no point of GeoJSON with a time") }
    } else {
      found = []
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = bytes[start..<end]
        start = end + 1
        if line.allSatisfy(ReplayFile.blanks.contains) { continue }
        guard let json = try? JSONReader.read(Array(line)) else {
          damaged += 1
          continue
        }
        switch ReplayFile.entry(json) {
        case .entry(let entry)?: found.append(entry)
        case .other?: break
        case nil: damaged += 1
        }
      }
      if found.isEmpty {
        throw FormatError("the file", "is no day of a home, no GPX track and no GeoJSON")
      }
    }
    // Those of one time stay as they came.
    entries = found.enumerated()
      .sorted { ($0.element.wall, $0.offset) < ($1.element.wall, $1.offset) }.map(\.element)
    self.damaged = damaged
  }

  /// What may stand around a line, besides its end.
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

  /// Inputs in the order of their times.
  init(entries: [Entry]) {
    self.entries = entries
    damaged = 0
  }

  /// Whether this is on the earth: nobody would ever be anywhere else, and nothing would be found.
  private static func isPlace(_ latitude: Double, _ longitude: Double) -> Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }

  private static func member(_ json: JSONValue?, _ name: String) -> JSONValue? {
    if case .object(let object)? = json { object[name] } else { nil }
  }

  private static func text(_ json: JSONValue?) -> String? {
    if case .string(let text)? = json { text } else { nil }
  }

  private static func number(_ json: JSONValue?) -> Double? {
    json.flatMap { PropertyValue($0) }?.number
  }

  private static func isGeoJSON(_ json: JSONValue) -> Bool {
    ["FeatureCollection", "Feature"].contains(text(member(json, "type")))
  }

  private static func geoJSON(_ json: JSONValue, _ who: String, _ damaged: inout Int) -> [Entry] {
    var features = [json]
    if case .array(let several)? = member(json, "features") { features = several }
    var entries: [Entry] = []
    for (number, feature) in features.enumerated() {
      let geometry = member(feature, "geometry")
      // A line that joins the points has no time of its own.
      guard text(member(geometry, "type")) == "Point" else { continue }
      let properties = member(feature, "properties")
      guard case .array(let coordinates)? = member(geometry, "coordinates"), coordinates.count >= 2,
        let longitude = Self.number(coordinates[0]), let latitude = Self.number(coordinates[1]),
        isPlace(latitude, longitude),
        let time = text(member(properties, "time")).flatMap(HomeTime.microseconds)
      else {
        damaged += 1
        continue
      }
      let fix = Fix(
        latitude: latitude, longitude: longitude,
        accuracy: Self.number(member(properties, "horizontalAccuracy")), time: time,
        report: "\(number)")
      entries.append(Entry(input: .fix(tracker: who, fix), wall: time))
    }
    return entries
  }

  /// The points of tracks, routes and waypoints that have a time.
  private static func gpx(_ text: String, _ who: String, _ damaged: inout Int) -> [Entry] {
    var entries: [Entry] = []
    var number = 0
    for tag in ["<trkpt", "<wpt", "<rtept"] {
      for part in ("." + text).split(separatedBy: tag).dropFirst() {
        number += 1
        let end = part.firstRange(ofText: ">")?.lowerBound ?? part.endIndex
        let head = part[..<end]
        // What stands behind a point is another's: a marked place has no time often, and the first point of a track
        // follows it.
        let isEmpty = head.utf8.last == UInt8(ascii: "/")
        let close = part.firstRange(ofText: "</\(tag.dropFirst())")?.lowerBound ?? part.endIndex
        let point = part[end..<(isEmpty ? end : max(end, close))]
        guard let latitude = attribute("lat", head), let longitude = attribute("lon", head),
          isPlace(latitude, longitude),
          let start = point.firstRange(ofText: "<time>")?.upperBound,
          let stop = point[start...].firstRange(ofText: "</time>")?.lowerBound,
          let time = gpxTime(point[start..<stop])
        else {
          damaged += 1
          continue
        }
        // A GPX track does not say how good it is.
        let fix = Fix(
          latitude: latitude, longitude: longitude, accuracy: 20, time: time, report: "\(number)")
        entries.append(Entry(input: .fix(tracker: who, fix), wall: time))
      }
    }
    return entries
  }

  /// A time of GPX: UTC, also where it does not say so, and blanks around it mean nothing.
  private static func gpxTime(_ text: Substring) -> Int64? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let word = words.first, words.count == 1 else { return nil }
    return HomeTime.microseconds(String(word)) ?? HomeTime.microseconds("\(word)Z")
  }

  private static func attribute(_ name: String, _ tag: Substring) -> Double? {
    for quote in ["\"", "'"] {
      guard let start = tag.firstRange(ofText: "\(name)=\(quote)")?.upperBound,
        let end = tag[start...].firstRange(ofText: quote)?.lowerBound
      else { continue }
      return Double(tag[start..<end])
    }
    return nil
  }

  private enum Line {
    case entry(Entry)
    /// A line of another type.
    case other
  }

  private static func entry(_ json: JSONValue) -> Line? {
    guard let type = text(member(json, "type")) else { return nil }
    guard type == "input" else { return .other }
    guard let time = text(member(json, "time")).flatMap(HomeTime.microseconds) else { return nil }
    let tracker = text(member(json, "tracker")) ?? ""
    let input: HomeInput
    switch text(member(json, "kind")) {
    case "fix":
      guard let latitude = number(member(json, "latitude")),
        let longitude = number(member(json, "longitude")), isPlace(latitude, longitude)
      else { return nil }
      let seen = text(member(json, "seenAt")).flatMap(HomeTime.microseconds) ?? time
      let fix = Fix(
        latitude: latitude, longitude: longitude, accuracy: number(member(json, "accuracy")),
        time: seen, report: text(member(json, "report")) ?? String(time))
      input = .fix(tracker: tracker, fix)
    case "frame":
      guard let rssi = number(member(json, "rssi")).flatMap({ Int(exactly: $0) }) else {
        return nil
      }
      input = .frame(tracker: tracker, rssi: rssi, adapter: text(member(json, "adapter")) ?? "")
    case "value":
      guard let name = text(member(json, "property")),
        let value = member(json, "value").flatMap({ PropertyValue($0) })
      else { return nil }
      input = .value(tracker: tracker, property: name, value)
    case "message":
      guard let name = text(member(json, "name")) else { return nil }
      input = .message(name)
    case "clock": input = .clock
    case "alive": input = .alive
    case "receiver":
      guard case .bool(let isScanning)? = member(json, "scanning") else { return nil }
      input = .receiver(isScanning: isScanning)
    default: return nil
    }
    return .entry(Entry(input: input, wall: time))
  }
}
