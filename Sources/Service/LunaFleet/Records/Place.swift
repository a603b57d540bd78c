public import LunaJSON

/// Where a gateway is. Without numbers it stands beside the map.
public struct Place: Hashable, Sendable {
  /// Who said so; the words of the JSON.
  public enum Source: String, Sendable, CaseIterable {
    /// A person, or a label.
    case given
    /// A receiver for satellites, through gpsd.
    case gpsd
    /// The browser with which it was enrolled.
    case browser
  }

  /// Degrees, -90 to 90.
  public var latitude: Double?
  /// Degrees, -180 to 180.
  public var longitude: Double?
  /// In words, as `hall 3, above the door`; at most 200 characters.
  public var text: String?
  /// Who said so; for a place in words alone, too.
  public var source: Source
  /// How far off the position may be, m, 0 to 50,000,000; nil where nobody has said it.
  public var accuracy: Double?

  /// A place in degrees.
  public init(
    latitude: Double?, longitude: Double?, text: String? = nil, source: Source = .given,
    accuracy: Double? = nil
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.text = text
    self.source = source
    self.accuracy = accuracy
  }

  /// The position, where both numbers are there.
  public var position: (latitude: Double, longitude: Double)? {
    guard let latitude, let longitude else { return nil }
    return (latitude, longitude)
  }

  init(json: JSONValue) throws(FieldProblem) {
    guard case .object(let object) = json else { throw FieldProblem("is not an object") }
    let known = ["latitude", "longitude", "text", "source", "accuracy"]
    if let other = object.members.first(where: { !known.contains($0.name) }) {
      throw FieldProblem("has a member \(other.name), which is none of a place")
    }
    latitude = try Place.number(object, "latitude", -90...90)
    longitude = try Place.number(object, "longitude", -180...180)
    accuracy = try Place.number(object, "accuracy", 0...50_000_000)
    guard (latitude == nil) == (longitude == nil) else {
      throw FieldProblem("has only one of latitude and longitude")
    }
    switch object["text"] {
    case nil, .null?: text = nil
    case .string(let words)?: text = words.isEmpty ? nil : try FieldText.line(words, limit: 200)
    default: throw FieldProblem("has a text that is not a string")
    }
    switch object["source"] {
    case nil, .null?: source = .given
    case .string(let word)?:
      guard let source = Source(rawValue: word) else {
        throw FieldProblem("has a source that is not given, gpsd or browser")
      }
      self.source = source
    default: throw FieldProblem("has a source that is not a string")
    }
    guard latitude != nil || text != nil else {
      throw FieldProblem("has neither a position nor a text")
    }
  }

  private static func number(
    _ object: JSONObject, _ name: String, _ range: ClosedRange<Double>
  ) throws(FieldProblem) -> Double? {
    let number: Double
    switch object[name] {
    case nil, .null?: return nil
    case .integer(let value)?: number = Double(value)
    case .real(let value)?: number = value
    default: throw FieldProblem("has a value of \(name) that is not a number")
    }
    guard range.contains(number) else {
      throw FieldProblem("has a value of \(name) that is out of range")
    }
    return number
  }

  /// The place as JSON.
  public var json: JSONValue {
    var object = JSONObject()
    if let latitude { object.append("latitude", .real(latitude)) }
    if let longitude { object.append("longitude", .real(longitude)) }
    if let text { object.append("text", .string(text)) }
    object.append("source", .string(source.rawValue))
    if let accuracy { object.append("accuracy", .real(accuracy)) }
    return .object(object)
  }
}
