public import Bluetooth
public import LunaProtocol

/// A command that could be offered, with those of its packages that were asked for.
public struct OpenCommand: Hashable, Sendable {
  /// Its name.
  public let id: RequestID
  /// Until when it is offered.
  public let expiresAt: Timestamp
  /// The packages.
  public var packages: [ControlPackage]

  /// A command.
  public init(id: RequestID, expiresAt: Timestamp, packages: [ControlPackage]) {
    self.id = id
    self.expiresAt = expiresAt
    self.packages = packages
  }
}
