public import LunaJSON
public import LunaProtocol
public import SafeText

/// What became of a command that a gateway was asked to carry out.
public struct CommandConfirmation: Hashable, Sendable {
  /// How it ended.
  public enum Outcome: String, CaseIterable, Sendable {
    /// The tracker answered; its receipt says what.
    case done
    /// The tracker was there but did not take it.
    case failed
    /// The tracker could not be connected to. The command is offered again.
    case notReached
  }

  /// The bytes of a receipt, and of a short answer (PROTOCOL.md, 12.3).
  public static let receiptCounts = [17, 5]
  /// The longest ``detail``, characters.
  public static let detailLimit = 256

  /// Which command.
  public let requestID: String
  /// To which tracker the package was delivered.
  public let heid: HEID
  /// How it ended.
  public let outcome: Outcome
  /// What the tracker answered; nil unless it is done.
  public let receipt: [UInt8]?
  /// More, for a person.
  public let detail: ForeignText?

  /// A confirmation.
  public init(
    requestID: String, heid: HEID, outcome: Outcome, receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestID = requestID
    self.heid = heid
    self.outcome = outcome
    self.receipt = receipt
    self.detail = detail.map { ForeignText($0) }
  }

  /// Reads a confirmation.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the confirmation")
    requestID = try members.word("requestId", limit: 128)
    heid = try members.heid("heid")
    guard let outcome = Outcome(rawValue: try members.string("outcome")) else {
      throw FormatError("outcome", "is not done, failed or notReached")
    }
    self.outcome = outcome
    receipt = try members.optional("receipt") == nil ? nil : members.base64("receipt")
    guard receipt != nil || outcome != .done else { throw FormatError("receipt", "is missing") }
    if let receipt, !CommandConfirmation.receiptCounts.contains(receipt.count) {
      throw FormatError("receipt", "has neither 17 nor 5 bytes")
    }
    detail = try members.optionalString("detail", limit: CommandConfirmation.detailLimit)
      .map { ForeignText($0) }
  }

  /// The confirmation as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "requestId": .string(requestID), "heid": .string(heid.description),
      "outcome": .string(outcome.rawValue),
    ]
    if let receipt { object.append("receipt", .string(Base64.encode(receipt.span))) }
    if let detail { object.append("detail", .string(detail.raw)) }
    return .object(object)
  }
}
