public import LunaProtocol
public import SafeText

/// What became of a command that a gateway was asked to carry out.
public struct CommandConfirmation: Hashable, Sendable {
  /// How it ended; the words of the wire (PROTOCOL.md, 12.4).
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

  /// Which command: the name that the backend has given it.
  public let requestID: String
  /// To which tracker the package was delivered.
  public let heid: HEID
  /// How it ended; whether the tracker obeyed stands in ``receipt``.
  public let outcome: Outcome
  /// What the tracker answered; nil unless it is done.
  public let receipt: [UInt8]?
  /// More, for a person.
  public let detail: ForeignText?

  /// What a gateway confirms; `receipt` has one of ``receiptCounts``, `detail` at most ``detailLimit`` characters.
  public init(
    requestID: String, heid: HEID, outcome: Outcome, receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestID = requestID
    self.heid = heid
    self.outcome = outcome
    self.receipt = receipt
    self.detail = detail.map { ForeignText($0) }
  }
}
