public import LunaCore
public import LunaJSON
import LunaProtocol

extension EventQuery {
  /// Reads a query (PROTOCOL.md, 10).
  ///
  /// - Throws: where a member is missing or cannot be: more than ``limit`` identifiers, or an end
  ///   before
  ///   its beginning.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the query")
    let values = try members.array("heids")
    guard values.count <= EventQuery.limit else {
      throw FormatError("heids", "has more than \(EventQuery.limit) elements")
    }
    let heids = try values.map { value throws(FormatError) in
      guard case .string(let text) = value, let heid = JSONMembers.heid(text) else {
        throw FormatError("heids", "has an element that is not 32 hexadecimal digits in lower case")
      }
      return heid
    }
    let (from, to) = (try members.day("from"), try members.day("to"))
    guard from <= to else { throw FormatError("to", "is before from") }
    self.init(
      heids, days: from...to, cursor: try members.optionalString("cursor", limit: 256))
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
