public import LunaCore
public import LunaJSON
import LunaProtocol

extension TrackerEvent {
  /// Reads an event.
  ///
  /// The version is not judged, and the other members are read as version 1 has them.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the event")
    let version = try members.integer("protocolVersion", in: 0...255)
    let heid = try members.heid("heid")
    let location = try members.base64("encodedLocation")
    guard location.count == SealedReport.byteCount else {
      throw FormatError("encodedLocation", "has not \(SealedReport.byteCount) bytes")
    }
    let digits = try members.string("esf")
    guard JSONMembers.isLowerHex(digits), let esf = ESF(digits) else {
      throw FormatError("esf", "is not 6 hexadecimal digits in lower case")
    }
    let debug = try members.optional("debug").map { value throws(FormatError) in
      try JSONMembers(value, name: "debug").object
    }
    self.init(
      protocolVersion: Int(version), heid: heid, encodedLocation: location, esf: esf,
      day: try members.day("day"), debug: debug)
  }

  /// The event as JSON.
  public var json: JSONValue { .object(members) }

  var members: JSONObject {
    var object: JSONObject = [
      "protocolVersion": .integer(Int64(protocolVersion)), "heid": .string(heid.description),
      "encodedLocation": .string(Base64.encode(encodedLocation.span)),
      "esf": .string(esf.description), "day": .string(day.description),
    ]
    if let debug { object.append("debug", .object(debug)) }
    return object
  }
}
