public import LunaJSON
public import LunaProtocol

/// What became of a command, as the gateway that tried it tells
/// (`POST /remote-control-request/confirm`; PROTOCOL.md, 12.4).
public struct CommandConfirmation: Hashable, Sendable {
  /// How it went. Only the owner can tell whether a receipt is genuine.
  public typealias Outcome = CommandOutcome.Kind

  /// The request.
  public let requestId: String
  /// The heid of the package that was used.
  public let heid: HEID
  /// How it went.
  public let outcome: Outcome
  /// What the tracker answered, 17 or 5 bytes.
  public let receipt: [UInt8]?
  /// More for a person.
  public let detail: String?

  /// A confirmation; one of `done` has a receipt.
  public init(
    requestId: String, heid: HEID, outcome: Outcome, receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestId = requestId
    self.heid = heid
    self.outcome = outcome
    self.receipt = receipt
    self.detail = detail
  }

  /// The confirmation of what came of a package. Claims of success without a receipt are none.
  public init(requestId: String, heid: HEID, _ outcome: CommandOutcome) {
    let answer = outcome.receipt.flatMap {
      [Receipt.shortByteCount, Receipt.byteCount].contains($0.count) ? $0 : nil
    }
    let isProven = outcome.kind != .done || answer != nil
    self.init(
      requestId: requestId, heid: heid, outcome: isProven ? outcome.kind : .failed,
      receipt: answer, detail: isProven ? outcome.detail : "the tracker gave no receipt")
  }
}

extension CommandConfirmation {
  /// Reads a confirmation.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "confirmation")
    let word = try reader.required("outcome", try reader.string("outcome"))
    guard let outcome = Outcome(rawValue: word) else {
      throw ExchangeError("outcome", "outcome is none of done, failed and notReached")
    }
    let receipt = try reader.bytes("receipt", count: Receipt.shortByteCount...Receipt.byteCount)
    guard receipt == nil || [Receipt.shortByteCount, Receipt.byteCount].contains(receipt?.count)
    else { throw ExchangeError("receipt", "receipt has neither 17 nor 5 bytes") }
    guard outcome != .done || receipt != nil else {
      throw ExchangeError("receipt", "receipt is missing")
    }
    self.init(
      requestId: try reader.required("requestId", try reader.string("requestId", limit: 64)),
      heid: try reader.required("heid", try reader.heid("heid")), outcome: outcome,
      receipt: receipt, detail: try reader.string("detail", limit: 512))
  }

  /// The members.
  public var json: JSONObject {
    var object: JSONObject = [
      "requestId": .string(requestId), "heid": .string(heid.description),
      "outcome": .string(outcome.rawValue),
    ]
    if let receipt { object.append("receipt", .string(Base64.encode(receipt.span))) }
    if let detail { object.append("detail", .string(detail)) }
    return object
  }
}
