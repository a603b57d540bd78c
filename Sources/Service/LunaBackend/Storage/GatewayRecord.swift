public import Bluetooth
public import LunaCore

/// A gateway, and what it told of itself last.
public struct GatewayRecord: Hashable, Sendable {
  /// The name of the token with which it uploaded.
  public let name: String
  /// When it uploaded last.
  public let seenAt: Timestamp
  /// What it told last; nil when it never did.
  public let report: GatewayReport?

  /// A gateway that has uploaded at least once.
  public init(name: String, seenAt: Timestamp, report: GatewayReport?) {
    self.name = name
    self.seenAt = seenAt
    self.report = report
  }
}
