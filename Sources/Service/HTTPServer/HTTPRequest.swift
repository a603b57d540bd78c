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
  /// Bytes of the body, whether it was kept or not.
  package let receivedBytes: Int

  /// A request of these parts.
  public init(id: String, head: HTTPHead, client: ClientAddress, body: [UInt8]) {
    self.init(id: id, head: head, client: client, body: body, receivedBytes: body.count)
  }

  init(id: String, head: HTTPHead, client: ClientAddress, body: [UInt8], receivedBytes: Int) {
    self.id = id
    self.head = head
    self.client = client
    self.body = body
    self.receivedBytes = receivedBytes
  }

  /// The event up to which a client has seen a stream that it asks for again.
  public var lastEventID: String? { head.first("last-event-id") }
}
