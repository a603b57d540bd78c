public import Bluetooth
public import LunaJSON
public import LunaProtocol
public import SafeText

/// How far a command of an owner has come.
public struct CommandStatus: Hashable, Sendable {
  /// How far.
  public enum State: String, CaseIterable, Sendable {
    /// No gateway has it.
    case queued
    /// A gateway has it and has not answered yet.
    case offered
    /// A gateway says that the tracker answered. Only its receipt proves it, and only to the owner.
    case confirmed
    /// A gateway says that the tracker did not take it.
    case failed
    /// Its time is over.
    case expired
  }

  /// Names it.
  public let requestID: String
  /// How far it has come.
  public let state: State
  /// When the owner gave it.
  public let createdAt: Timestamp
  /// Until when it is offered.
  public let expiresAt: Timestamp
  /// Which package a gateway answered for.
  public let heid: HEID?
  /// What the tracker answered.
  public let receipt: [UInt8]?
  /// What the gateway said of it.
  public let detail: ForeignText?

  /// A status.
  public init(
    requestID: String, state: State, createdAt: Timestamp, expiresAt: Timestamp,
    heid: HEID? = nil, receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestID = requestID
    self.state = state
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.heid = heid
    self.receipt = receipt
    self.detail = detail.map { ForeignText($0) }
  }

  /// Reads a status.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the command")
    guard let state = State(rawValue: try members.string("state")) else {
      throw FormatError("state", "is not known")
    }
    self.state = state
    requestID = try members.word("requestId", limit: 128)
    createdAt = try members.time("createdAt")
    expiresAt = try members.time("expiresAt")
    heid = try members.optional("heid") == nil ? nil : members.heid("heid")
    receipt = try members.optional("receipt") == nil ? nil : members.base64("receipt")
    detail = try members.optionalString("detail", limit: CommandConfirmation.detailLimit)
      .map { ForeignText($0) }
  }

  /// The status as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "requestId": .string(requestID), "state": .string(state.rawValue),
      "createdAt": .string(createdAt.rfc3339), "expiresAt": .string(expiresAt.rfc3339),
    ]
    if let heid { object.append("heid", .string(heid.description)) }
    if let receipt { object.append("receipt", .string(Base64.encode(receipt.span))) }
    if let detail { object.append("detail", .string(detail.raw)) }
    return .object(object)
  }
}
