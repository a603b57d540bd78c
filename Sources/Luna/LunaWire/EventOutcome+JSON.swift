public import LunaCore
public import LunaJSON

extension EventOutcome {
  /// Reads an element of `results`, and the index of the event that it is about.
  public static func read(_ json: JSONValue) throws(FormatError) -> (index: Int, EventOutcome) {
    let members = try JSONMembers(json, name: "the result")
    let index = Int(try members.integer("index", in: 0...100_000))
    switch try members.string("status") {
    case "accepted": return (index, .accepted)
    case "duplicate": return (index, .duplicate)
    case "rejected":
      let code =
        try members.optional("code") == nil ? "rejected" : members.word("code", limit: 64)
      return (index, .rejected(code: code, isPermanent: members.object["permanent"] == .bool(true)))
    default: throw FormatError("status", "is not accepted, duplicate or rejected")
    }
  }

  /// The outcome as an element of `results`.
  public func json(index: Int) -> JSONValue {
    let index = JSONValue.integer(Int64(index))
    return switch self {
    case .accepted: ["index": index, "status": "accepted"]
    case .duplicate: ["index": index, "status": "duplicate"]
    case .rejected(let code, let isPermanent):
      [
        "index": index, "status": "rejected", "code": .string(code),
        "permanent": .bool(isPermanent),
      ]
    }
  }
}
