public import Bluetooth
public import LunaProtocol
public import SafeText

/// How far a command of an owner has come.
public struct CommandStatus: Hashable, Sendable {
  /// How far it has come; the words of the wire.
  public enum State: String, CaseIterable, Sendable {
    /// No gateway has it.
    case queued
    /// A gateway has it and has not answered yet.
    case offered
    /// A gateway says that the tracker answered. Only its receipt proves it, and only to the owner.
    case confirmed
    /// A gateway says that the tracker did not take it.
    case failed
    /// The owner has called it off. A gateway that had it already may still have it done.
    case cancelled
    /// Its time is over.
    case expired
  }

  /// The name that the backend has given it.
  public let requestID: String
  /// How far it has come, as the backend knows.
  public let state: State
  /// When the owner gave it.
  public let createdAt: Timestamp
  /// Until when it is offered.
  public let expiresAt: Timestamp
  /// Until when a gateway has it that has not answered yet.
  public let offeredUntil: Timestamp?
  /// When the owner called it off; then also of one that a gateway says it has delivered after all.
  public let cancelledAt: Timestamp?
  /// The identifier of the first of its packages, by which the owner knows the tracker.
  public let firstHeid: HEID?
  /// Which package a gateway answered for.
  public let heid: HEID?
  /// What the tracker answered.
  public let receipt: [UInt8]?
  /// What the gateway said of it.
  public let detail: ForeignText?

  /// Whether a gateway may still get it, or has it and has not answered.
  public var isOpen: Bool {
    switch state {
    case .queued, .offered: true
    case .confirmed, .failed, .cancelled, .expired: false
    }
  }

  /// How a command stands at its backend; `offeredUntil`, `cancelledAt` and what follows are nil until they happen.
  public init(
    requestID: String, state: State, createdAt: Timestamp, expiresAt: Timestamp,
    offeredUntil: Timestamp? = nil, cancelledAt: Timestamp? = nil, firstHeid: HEID? = nil,
    heid: HEID? = nil, receipt: [UInt8]? = nil, detail: String? = nil
  ) {
    self.requestID = requestID
    self.state = state
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.offeredUntil = offeredUntil
    self.cancelledAt = cancelledAt
    self.firstHeid = firstHeid
    self.heid = heid
    self.receipt = receipt
    self.detail = detail.map { ForeignText($0) }
  }
}
