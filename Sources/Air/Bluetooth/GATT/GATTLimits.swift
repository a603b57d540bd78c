/// How long things with a peer may take.
public struct GATTLimits: Hashable, Sendable {
  /// An attempt to connect with all its retries, until the services are known.
  public var connect: Duration
  /// One read, write or subscription, long ones included.
  public var operation: Duration

  /// Limits; the defaults suit a tracker in sight.
  public init(connect: Duration = .seconds(20), operation: Duration = .seconds(10)) {
    self.connect = connect
    self.operation = operation
  }
}
