/// A request that is complete.
public struct HTTPRequest: Sendable {
  /// Names it in logs and answers.
  public let id: String
  /// Its first part.
  public let head: HTTPHead
  /// Where it comes from.
  public let client: ClientAddress
  /// The body as it came.
  public let body: [UInt8]

  /// A request of these parts.
  public init(id: String, head: HTTPHead, client: ClientAddress, body: [UInt8]) {
    self.id = id
    self.head = head
    self.client = client
    self.body = body
  }

  /// The event up to which a client has seen a stream that it asks for again.
  public var lastEventID: String? { head.first("last-event-id") }
}
