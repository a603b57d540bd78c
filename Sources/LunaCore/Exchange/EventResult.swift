public import LunaJSON

/// What a backend did with one event of a batch.
public struct EventResult: Hashable, Sendable {
  /// What it did.
  public enum Status: String, CaseIterable, Sendable {
    /// It is stored now.
    case accepted
    /// It was stored before.
    case duplicate
    /// It is not stored.
    case rejected
  }

  /// Which event of the batch, from 0.
  public let index: Int
  /// What was done.
  public let status: Status
  /// Why it was rejected.
  public let code: String?
  /// Whether it would be rejected again.
  public let isPermanent: Bool

  /// A result.
  public init(index: Int, status: Status, code: String? = nil, isPermanent: Bool = false) {
    self.index = index
    self.status = status
    self.code = code
    self.isPermanent = isPermanent
  }

  /// Whether the backend has the event.
  public var isStored: Bool { status != .rejected }
}

extension EventResult {
  /// Reads a result.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "result")
    let word = try reader.required("status", try reader.string("status"))
    guard let status = Status(rawValue: word) else {
      throw ExchangeError("status", "status is none of accepted, duplicate and rejected")
    }
    self.init(
      index: try reader.required("index", try reader.integer("index", 0...Int.max)),
      status: status, code: try reader.string("code"),
      isPermanent: try reader.bool("permanent") ?? false)
  }

  /// The members.
  public var json: JSONObject {
    var object: JSONObject = [
      "index": .integer(Int64(index)), "status": .string(status.rawValue),
    ]
    if let code { object.append("code", .string(code)) }
    if status == .rejected { object.append("permanent", .bool(isPermanent)) }
    return object
  }
}
