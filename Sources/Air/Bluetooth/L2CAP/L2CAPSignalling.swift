/// Answers what a peer sends on the signalling channel of an LE link (Core Specification, Vol 3,
/// Part A, 4). Nothing is ever asked for here, so responses are ignored.
public enum L2CAPSignalling {
  /// What a signal leads to.
  public struct Answer: Hashable, Sendable {
    /// The payload to send back.
    public var reply: [UInt8]?
    /// What the link is to be changed to.
    public var update: ConnectionParameters?
  }

  private static let commandReject: UInt8 = 0x01
  private static let connectionParameterUpdateRequest: UInt8 = 0x12
  private static let connectionParameterUpdateResponse: UInt8 = 0x13
  /// The reasons of a Command Reject (4.1).
  private static let notUnderstood: UInt16 = 0x0000
  /// The least signalling MTU, and so ours (4).
  private static let mtu = 23

  /// - Parameters:
  ///   - payload: the signal: code, identifier, length 2, data.
  ///   - isCentral: whether this side is the central, which alone decides on the parameters.
  ///   - mayUpdate: whether the parameters can be changed now.
  public static func answer(
    _ payload: Span<UInt8>, isCentral: Bool, mayUpdate: Bool = true
  ) -> Answer {
    guard payload.count >= 4, let length = payload.littleEndianWord(at: 2) else { return Answer() }
    let code = payload[0]
    let identifier = payload[1]
    // 0 is no identifier. Responses have codes of their own; answering one would never end.
    guard identifier != 0, !isResponse(code) else { return Answer() }
    guard payload.count <= mtu else {
      // Signalling MTU exceeded, and what it is.
      return Answer(reply: reject(identifier, 0x0001, UInt16(mtu).octets))
    }
    guard isCentral, code == connectionParameterUpdateRequest, length == 8, payload.count == 12,
      let wanted = ConnectionParameters(payload, at: 4)
    else { return Answer(reply: reject(identifier, notUnderstood, [])) }
    let accepts = mayUpdate && wanted.isAcceptable
    let result: UInt16 = accepts ? 0 : 1
    return Answer(
      reply: [connectionParameterUpdateResponse, identifier, 2, 0] + result.octets,
      update: accepts ? wanted : nil)
  }

  private static func isResponse(_ code: UInt8) -> Bool {
    switch code {
    // Command Reject, and the responses of 4.3 to 4.28 that an LE link knows; 0x16 is the flow
    // control credit, which has no answer.
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x16, 0x18, 0x1A: true
    default: false
    }
  }

  private static func reject(_ identifier: UInt8, _ reason: UInt16, _ data: [UInt8]) -> [UInt8] {
    [commandReject, identifier] + UInt16(2 + data.count).octets + reason.octets + data
  }
}
