public import Bluetooth
public import LunaProtocol

/// A command that could be offered, with those of its packages that were asked for.
public struct OpenCommand: Hashable, Sendable {
  /// The name by which all know it: 16 bytes.
  public let id: RequestID
  /// Until when it is offered.
  public let expiresAt: Timestamp
  /// Its packages for the identifiers that were asked for.
  public var packages: [ControlPackage]

  /// A command with those of its packages that are of use to who asks.
  public init(id: RequestID, expiresAt: Timestamp, packages: [ControlPackage]) {
    self.id = id
    self.expiresAt = expiresAt
    self.packages = packages
  }
}
