public import Bluetooth
public import LunaJSON
public import LunaProtocol

/// What became of a command that an owner left at a backend (`GET /v1/commands/{id}`).
public struct CommandState: Hashable, Sendable {
  /// How far it is.
  public enum Progress: String, CaseIterable, Sendable {
    /// No gateway has it.
    case queued
    /// A gateway is trying.
    case offered
    /// A gateway says that the tracker did it; the receipt tells the owner whether that is so.
    case confirmed
    /// A gateway reached the tracker, and it was not done.
    case failed
    /// It was not delivered in time.
    case expired

    /// Whether nothing will change any more.
    public var isFinal: Bool { self == .confirmed || self == .failed || self == .expired }
  }

  /// Names the command.
  public var requestId: String
  /// How far it is.
  public var progress: Progress
  /// Until when it is to be delivered.
  public var expiresAt: Timestamp
  /// The heid of the package that was used.
  public var heid: HEID?
  /// What the tracker answered.
  public var receipt: [UInt8]?
  /// More for a person.
  public var detail: String?

  /// A state.
  public init(
    requestId: String, progress: Progress, expiresAt: Timestamp, heid: HEID? = nil,
    receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestId = requestId
    self.progress = progress
    self.expiresAt = expiresAt
    self.heid = heid
    self.receipt = receipt
    self.detail = detail
  }

  /// Reads a state.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "command")
    let word = try reader.required("state", try reader.string("state"))
    guard let progress = Progress(rawValue: word) else {
      throw ExchangeError("state", "state is not one that is known here")
    }
    self.init(
      requestId: try reader.required("requestId", try reader.string("requestId", limit: 64)),
      progress: progress, expiresAt: try reader.required("expiresAt", try reader.time("expiresAt")),
      heid: try reader.heid("heid"),
      receipt: try reader.bytes("receipt", count: Receipt.shortByteCount...Receipt.byteCount),
      detail: try reader.string("detail", limit: 512))
  }

  /// The members.
  public var json: JSONObject {
    var object: JSONObject = [
      "requestId": .string(requestId), "state": .string(progress.rawValue),
      "expiresAt": .string(expiresAt.rfc3339),
    ]
    if let heid { object.append("heid", .string(heid.description)) }
    if let receipt { object.append("receipt", .string(Base64.encode(receipt.span))) }
    if let detail { object.append("detail", .string(detail)) }
    return object
  }
}
