public import LunaJSON
public import LunaProtocol

/// A sealed sighting on its way from a finder to the owner (PROTOCOL.md, 9.3). Sealed once, it may be
/// sent any number of times: a backend tells by its contents that it has it already.
public struct TrackerEvent: Hashable, Sendable {
  /// The version of the protocol of ``encodedLocation``.
  public static let protocolVersion: Int64 = 1

  /// Under which it is filed.
  public let heid: HEID
  /// The sealed location, 61 bytes.
  public let encodedLocation: [UInt8]
  /// The status field of the frame, as heard.
  public let esf: ESF
  /// The UTC date of its collection.
  public let day: EventDay
  /// Clear fields for tests; nil in every event that matters.
  public var debug: JSONObject?

  /// An event of these parts.
  public init(
    heid: HEID, encodedLocation: [UInt8], esf: ESF, day: EventDay, debug: JSONObject? = nil
  ) {
    self.heid = heid
    self.encodedLocation = encodedLocation
    self.esf = esf
    self.day = day
    self.debug = debug
  }

  /// The event of a report that was just sealed.
  ///
  /// - Parameter day: the UTC date of its collection.
  public init(_ report: SealedReport, day: EventDay) {
    self.init(
      heid: report.heid,
      encodedLocation: report.encodedLocation.indices.map { report.encodedLocation[$0] },
      esf: report.esf, day: day)
  }
}

extension TrackerEvent {
  /// Reads an event.
  ///
  /// - Throws: the first member that is missing or mistyped.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "event")
    let version: Int64 = try reader.required(
      "protocolVersion", try reader.integer("protocolVersion", 0...Int64.max))
    guard version == TrackerEvent.protocolVersion else {
      throw ExchangeError("protocolVersion", "protocolVersion \(version) is not spoken here")
    }
    let heid = try reader.required("heid", try reader.heid("heid"))
    let location = try reader.required(
      "encodedLocation",
      try reader.bytes("encodedLocation", count: SealedReport.byteCount...SealedReport.byteCount))
    let text = try reader.required("esf", try reader.string("esf"))
    guard let esf = ESF(text), esf.description == text else {
      throw ExchangeError("esf", "esf is not 6 hexadecimal digits in lower case")
    }
    let day = try reader.required("day", try reader.day("day"))
    var debug: JSONObject?
    if let value = reader["debug"] {
      guard case .object(let object) = value else {
        throw ExchangeError("debug", "debug is no object")
      }
      debug = object
    }
    self.init(heid: heid, encodedLocation: location, esf: esf, day: day, debug: debug)
  }

  /// The members, in the order of the specification.
  public var json: JSONObject {
    var object: JSONObject = [
      "protocolVersion": .integer(TrackerEvent.protocolVersion),
      "heid": .string(heid.description),
      "encodedLocation": .string(Base64.encode(encodedLocation.span)),
      "esf": .string(esf.description), "day": .string(day.description),
    ]
    if let debug { object.append("debug", .object(debug)) }
    return object
  }
}
