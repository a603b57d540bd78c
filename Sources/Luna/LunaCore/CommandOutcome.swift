/// What came of a command that was to be delivered, as it is confirmed to the backend
/// (PROTOCOL.md, 12.4). Only the owner can tell whether the receipt is genuine.
public struct CommandOutcome: Hashable, Sendable {
  /// The kinds. The raw values are the words of the confirmation.
  public enum Kind: String, Sendable {
    /// The tracker answered; its receipt says what, also when it refused.
    case done
    /// The tracker was connected to, and gave no answer that could be passed on.
    case failed
    /// The tracker was not connected to: the command can be tried again later.
    case notReached
  }

  /// What came of it; whether the tracker obeyed stands in ``receipt``.
  public let kind: Kind
  /// What the tracker indicated, as it came, 17 or 5 bytes; nil unless it is `done`.
  public let receipt: [UInt8]?
  /// What happened, for people; nil when there is nothing to say.
  public let detail: String?

  /// An outcome of these parts.
  public init(_ kind: Kind, receipt: [UInt8]? = nil, detail: String? = nil) {
    self.kind = kind
    self.receipt = receipt
    self.detail = detail
  }
}
