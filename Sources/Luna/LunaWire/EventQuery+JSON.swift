public import LunaJSON
public import LunaProtocol

/// What an owner asks a backend for.
public struct EventQuery: Hashable, Sendable {
  /// At most so many identifiers are in one.
  public static let limit = 1024

  /// The identifiers.
  public let heids: [HEID]
  /// The first and the last day.
  public let days: ClosedRange<Day>
  /// Where the page before ended; nil for the first page.
  public let cursor: String?

  /// A query.
  public init(_ heids: [HEID], days: ClosedRange<Day>, cursor: String? = nil) {
    self.heids = heids
    self.days = days
    self.cursor = cursor
  }

  /// Reads a query.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the query")
    let values = try members.array("heids")
    guard values.count <= EventQuery.limit else {
      throw FormatError("heids", "has more than \(EventQuery.limit) elements")
    }
    heids = try values.map { value throws(FormatError) in
      guard case .string(let text) = value, let heid = JSONMembers.heid(text) else {
        throw FormatError("heids", "has an element that is not 32 hexadecimal digits in lower case")
      }
      return heid
    }
    let (from, to) = (try members.day("from"), try members.day("to"))
    guard from <= to else { throw FormatError("to", "is before from") }
    days = from...to
    cursor = try members.optionalString("cursor", limit: 256)
  }

  /// The query as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "heids": .array(heids.map { .string($0.description) }),
      "from": .string(days.lowerBound.description), "to": .string(days.upperBound.description),
    ]
    if let cursor { object.append("cursor", .string(cursor)) }
    return .object(object)
  }
}
