public import LunaCore
public import LunaJSON

extension TelemetryOutcome {
  /// Reads what a backend says of so many items; nil for those of which it says nothing, or nothing that
  /// this version knows.
  public static func read(_ json: JSONValue, count: Int) throws(FormatError) -> [TelemetryOutcome?]
  {
    let members = try JSONMembers(json, name: "the reply")
    var outcomes = [TelemetryOutcome?](repeating: nil, count: count)
    for element in try members.array("results") {
      let result = try JSONMembers(element, name: "a result")
      let index = Int(try result.integer("index", in: 0...Int64(Int32.max)))
      guard index < count else { throw FormatError("index", "is out of range") }
      switch try result.string("status") {
      case "accepted": outcomes[index] = .accepted
      case "duplicate": outcomes[index] = .duplicate
      case "rejected":
        let code = try? result.word("code", limit: 64)
        outcomes[index] = .rejected(code: code ?? "unnamed")
      default: break
      }
    }
    return outcomes
  }

  /// The result as JSON.
  public func json(index: Int) -> JSONValue {
    switch self {
    case .accepted: ["index": .integer(Int64(index)), "status": "accepted"]
    case .duplicate: ["index": .integer(Int64(index)), "status": "duplicate"]
    case .rejected(let code):
      ["index": .integer(Int64(index)), "status": "rejected", "code": .string(code)]
    }
  }
}
