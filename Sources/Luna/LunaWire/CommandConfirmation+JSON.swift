public import LunaCore
public import LunaJSON
import LunaProtocol
import SafeText

extension CommandConfirmation {
  /// Reads what a gateway confirms (PROTOCOL.md, 12.4).
  ///
  /// - Throws: where a member is missing or cannot be, such as a receipt that has neither 17 nor 5
  ///   bytes, or is missing of a command that is done.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the confirmation")
    let requestID = try members.word("requestId", limit: 128)
    let heid = try members.heid("heid")
    guard let outcome = Outcome(rawValue: try members.string("outcome")) else {
      throw FormatError("outcome", "is not done, failed or notReached")
    }
    let receipt = try members.optional("receipt") == nil ? nil : members.base64("receipt")
    guard receipt != nil || outcome != .done else { throw FormatError("receipt", "is missing") }
    if let receipt, !CommandConfirmation.receiptCounts.contains(receipt.count) {
      throw FormatError("receipt", "has neither 17 nor 5 bytes")
    }
    self.init(
      requestID: requestID, heid: heid, outcome: outcome, receipt: receipt,
      detail: try members.optionalString("detail", limit: CommandConfirmation.detailLimit))
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
