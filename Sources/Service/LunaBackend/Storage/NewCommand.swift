public import Bluetooth
public import LunaProtocol

/// A command that an owner gives.
public struct NewCommand: Sendable {
  /// The name by which all know it: 16 bytes.
  public let id: RequestID
  /// The name of the owner whose token gave it.
  public let owner: String
  /// When it was given.
  public let createdAt: Timestamp
  /// Until when it is offered.
  public let expiresAt: Timestamp
  /// The packages, of which one is to be delivered.
  public let packages: [ControlPackage]

  /// A command that waits from now on, until one of its packages is delivered or it expires.
  public init(
    id: RequestID, owner: String, createdAt: Timestamp, expiresAt: Timestamp,
    packages: [ControlPackage]
  ) {
    self.id = id
    self.owner = owner
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.packages = packages
  }
}
