public import LunaJSON
public import LunaProtocol

/// What an owner asks a backend for (`POST /v1/events/query`).
public struct EventQuery: Hashable, Sendable {
  /// The heids, at most ``QueryRange/blockSize``.
  public var heids: [HEID]
  /// The first day.
  public var from: EventDay
  /// The last day, included.
  public var to: EventDay
  /// Where the page before ended; nil for the first one.
  public var cursor: String?

  /// A query.
  public init(heids: [HEID], from: EventDay, to: EventDay, cursor: String? = nil) {
    self.heids = heids
    self.from = from
    self.to = to
    self.cursor = cursor
  }

  /// Reads a query.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "query")
    let texts = try reader.required("heids", try reader.array("heids"))
    guard texts.count <= QueryRange.blockSize else {
      throw ExchangeError("heids", "heids has more than \(QueryRange.blockSize) elements")
    }
    var heids: [HEID] = []
    for value in texts {
      guard case .string(let text) = value else {
        throw ExchangeError("heids", "heids has an element that is no text")
      }
      heids.append(try ExchangeReader.heid(text, "heids"))
    }
    self.init(
      heids: heids, from: try reader.required("from", try reader.day("from")),
      to: try reader.required("to", try reader.day("to")),
      cursor: try reader.string("cursor", limit: 512))
    guard from <= to else { throw ExchangeError("to", "to is before from") }
  }

  /// The members.
  public var json: JSONObject {
    var object: JSONObject = [
      "heids": .array(heids.map { .string($0.description) }), "from": .string(from.description),
      "to": .string(to.description),
    ]
    if let cursor { object.append("cursor", .string(cursor)) }
    return object
  }
}
