public import Bluetooth
public import LunaCore

/// How a gateway was when it told that last.
public struct GatewayHealth: Hashable, Sendable {
  /// The name of its tokens.
  public let gateway: String
  /// When it told, by the clock of the backend.
  public let time: Timestamp
  /// How bad it is.
  public let verdict: HealthVerdict
  /// Why, by the codes of ``HealthReason``.
  public let reasons: [HealthReason.Code]
  /// What it told, as it came.
  public let report: HealthReport
}
