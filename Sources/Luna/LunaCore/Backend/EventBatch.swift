/// What a gateway uploads at once.
public struct EventBatch: Sendable {
  /// At most so many events are in one.
  public static let limit = 1000

  /// A name for logs; the backend does not look at it to find duplicates.
  public let batchID: String?
  /// What the gateway tells of itself.
  public let gateway: GatewayReport?
  /// The events, at most ``limit``; the reply has an outcome for each, in this order.
  public let events: [TrackerEvent]

  /// A batch of at most ``limit`` events, which are not counted here.
  public init(_ events: [TrackerEvent], batchID: String? = nil, gateway: GatewayReport? = nil) {
    self.batchID = batchID
    self.gateway = gateway
    self.events = events
  }
}
