public import LunaJSON

/// What a backend answers to a batch.
public struct UploadReply: Hashable, Sendable {
  /// What it did with each event.
  public var results: [EventResult]
  /// What owners want of the trackers that are in the batch.
  public var commandRequests: [CommandRequest]

  /// An answer.
  public init(results: [EventResult], commandRequests: [CommandRequest] = []) {
    self.results = results
    self.commandRequests = commandRequests
  }

  /// Reads an answer. Requests and results that make no sense are left out: an event without a
  /// result counts as not stored, and a request that is not confirmed is offered again.
  ///
  /// - Throws: when there is no list of results.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "reply")
    results = try reader.required("results", try reader.array("results"))
      .compactMap { try? EventResult(json: $0) }
    commandRequests = (try reader.array("commandRequests") ?? [])
      .compactMap { try? CommandRequest(json: $0) }
  }

  /// The members.
  public var json: JSONObject {
    [
      "results": .array(results.map { .object($0.json) }),
      "commandRequests": .array(commandRequests.map { .object($0.json) }),
    ]
  }
}
