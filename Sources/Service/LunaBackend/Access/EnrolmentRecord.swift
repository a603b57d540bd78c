public import Bluetooth

/// What is kept of a code with which a gateway gets its token once.
public struct EnrolmentRecord: Hashable, Sendable {
  /// SHA-256 of the code.
  public let digest: [UInt8]
  /// The name of the gateway.
  public let name: String
  /// Until when it is good.
  public let expiresAt: Timestamp

  /// What is kept of a code; the code itself is not.
  public init(digest: [UInt8], name: String, expiresAt: Timestamp) {
    self.digest = digest
    self.name = name
    self.expiresAt = expiresAt
  }
}
