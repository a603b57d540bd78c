import Bluetooth
public import LunaCore
public import LunaJSON
import LunaProtocol
import SafeText

extension CommandStatus {
  /// Reads what a backend tells an owner of a command.
  ///
  /// - Throws: where a member is missing or cannot be, such as a state that this version does not
  ///   know.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the command")
    guard let state = State(rawValue: try members.string("state")) else {
      throw FormatError("state", "is not known")
    }
    self.init(
      requestID: try members.word("requestId", limit: 128), state: state,
      createdAt: try members.time("createdAt"), expiresAt: try members.time("expiresAt"),
      offeredUntil: try members.optional("offeredUntil") == nil
        ? nil : members.time("offeredUntil"),
      cancelledAt: try members.optional("cancelledAt") == nil
        ? nil : members.time("cancelledAt"),
      firstHeid: try members.optional("firstHeid") == nil ? nil : members.heid("firstHeid"),
      heid: try members.optional("heid") == nil ? nil : members.heid("heid"),
      receipt: try members.optional("receipt") == nil ? nil : members.base64("receipt"),
      detail: try members.optionalString("detail", limit: CommandConfirmation.detailLimit))
  }

  /// The status as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "requestId": .string(requestID), "state": .string(state.rawValue),
      "createdAt": .string(createdAt.rfc3339), "expiresAt": .string(expiresAt.rfc3339),
    ]
    if let offeredUntil { object.append("offeredUntil", .string(offeredUntil.rfc3339)) }
    if let cancelledAt { object.append("cancelledAt", .string(cancelledAt.rfc3339)) }
    if let firstHeid { object.append("firstHeid", .string(firstHeid.description)) }
    if let heid { object.append("heid", .string(heid.description)) }
    if let receipt { object.append("receipt", .string(Base64.encode(receipt.span))) }
    if let detail { object.append("detail", .string(detail.raw)) }
    return .object(object)
  }
}
