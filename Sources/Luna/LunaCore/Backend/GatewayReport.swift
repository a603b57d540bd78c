/// What a gateway tells of itself with an upload.
public struct GatewayReport: Hashable, Sendable {
  /// The version of its program.
  public let version: String
  /// How long it has been running, s.
  public let uptime: Int64
  /// How many events wait for upload.
  public let queueDepth: Int64

  /// What a gateway tells; `uptime` is in s.
  public init(version: String, uptime: Int64, queueDepth: Int64) {
    self.version = version
    self.uptime = uptime
    self.queueDepth = queueDepth
  }
}
