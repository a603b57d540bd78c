public import Bluetooth

/// What searches and orders look at of what a gateway does just now: cheap to make for each of many, as a
/// ``GatewayStatus`` is not.
public struct SearchedStatus: Hashable, Sendable {
  /// One of ``GatewayStatus/states``.
  public var state: String
  /// One of ``GatewayStatus/verdicts``.
  public var verdict: String
  /// The codes of what is wrong.
  public var reasons: [String]
  /// When it was heard of last.
  public var seenAt: Timestamp?
  /// The version of its program.
  public var version: String?
  /// Whether it ever told how it is.
  public var hasHealth: Bool
  /// How many events wait at it.
  public var queueDepth: Double?
  /// How many packets a second it hears.
  public var packetsPerSecond: Double?

  /// Nothing was ever heard of it.
  public init(
    state: String = "never", verdict: String = "unknown", reasons: [String] = [],
    seenAt: Timestamp? = nil, version: String? = nil, hasHealth: Bool = false,
    queueDepth: Double? = nil, packetsPerSecond: Double? = nil
  ) {
    self.state = state
    self.verdict = verdict
    self.reasons = reasons
    self.seenAt = seenAt
    self.version = version
    self.hasHealth = hasHealth
    self.queueDepth = queueDepth
    self.packetsPerSecond = packetsPerSecond
  }
}
