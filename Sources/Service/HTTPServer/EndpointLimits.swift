/// What one endpoint takes, where that is not what the server does.
public struct EndpointLimits: Hashable, Sendable {
  /// Bytes of a body on the wire; nil for what the server takes.
  public var bodyBytes: Int?
  /// Requests that are worked on at once; nil for any number.
  public var requests: Int?
  /// Characters of path and query; nil for what the server takes.
  public var targetLength: Int?

  /// Limits; what is nil is as it is for the server, but requests, which are unlimited then.
  public init(bodyBytes: Int? = nil, requests: Int? = nil, targetLength: Int? = nil) {
    self.bodyBytes = bodyBytes
    self.requests = requests
    self.targetLength = targetLength
  }
}
