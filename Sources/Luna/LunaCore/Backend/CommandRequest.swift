public import Bluetooth
public import LunaProtocol

/// A command that a gateway is asked to carry out.
public struct CommandRequest: Hashable, Sendable {
  /// Names it in the confirmation.
  public let requestID: String
  /// Until when it is of use.
  public let expiresAt: Timestamp
  /// The packages for trackers that the gateway heard.
  public let packages: [ControlPackage]

  /// A request for a gateway; past `expiresAt` it is not begun.
  public init(requestID: String, expiresAt: Timestamp, packages: [ControlPackage]) {
    self.requestID = requestID
    self.expiresAt = expiresAt
    self.packages = packages
  }
}
