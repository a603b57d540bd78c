public import Bluetooth
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
}
