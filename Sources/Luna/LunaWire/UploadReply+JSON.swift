public import LunaCore
public import LunaJSON

extension UploadReply {
  /// Reads a reply to a batch of so many events. A command that cannot be read is left out: the
  /// events are stored all the same.
  public init(json: JSONValue, count: Int) throws(FormatError) {
    let members = try JSONMembers(json, name: "the reply")
    var outcomes = [EventOutcome?](repeating: nil, count: count)
    for element in try members.array("results") {
      let (index, outcome) = try EventOutcome.read(element)
      guard index < count else { throw FormatError("index", "is out of range") }
      outcomes[index] = outcome
    }
    let known = outcomes.compactMap(\.self)
    guard known.count == count else {
      throw FormatError("results", "does not tell of every event")
    }
    let requests =
      try members.optional("commandRequests") == nil ? [] : members.array("commandRequests")
    self.init(
      outcomes: known, commandRequests: requests.compactMap { try? CommandRequest(json: $0) })
  }

  /// The reply as JSON.
  public var json: JSONValue {
    [
      "results": .array(outcomes.enumerated().map { $1.json(index: $0) }),
      "commandRequests": .array(commandRequests.map(\.json)),
    ]
  }
}
