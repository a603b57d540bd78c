import Synchronization

/// A request on its way through the server. The library's thread that serves the connection and, while
/// the connection is suspended, the task that answers use it in turn; the lock is for the hand-over.
public final class HTTPExchange: Sendable {
  /// How far it is.
  struct State: Sendable {
    var body: [UInt8] = []
    /// Whether it is kept no more, since others have all the memory for bodies.
    var isDropped = false
    /// Bytes of it that were taken, whether they were kept or not.
    var received = 0
    /// Bytes that came after the limit was reached.
    var excess = 0
    var response: HTTPResponse?
  }

  /// Names the request in logs and answers.
  public let id: String
  /// Its first part.
  public let head: HTTPHead
  /// Where it comes from.
  public let client: ClientAddress
  /// When its head was complete.
  public let began = ContinuousClock.now
  /// What it asks for, where that has limits of its own.
  let endpoint: (name: String, limits: EndpointLimits)?
  /// Bytes of a body that it may have.
  let bodyBytes: Int
  /// The socket of its connection, as long as it is under way; -1 where it is gone.
  let socket: Int32
  /// Takes the body; nil where it is kept.
  let receiver: BodyReceiver?
  let state = Mutex(State())

  init(
    id: String, head: HTTPHead, client: ClientAddress, limits: HTTPLimits, socket: Int32,
    receiver: BodyReceiver?
  ) {
    self.id = id
    self.head = head
    self.client = client
    self.socket = socket
    self.receiver = receiver
    endpoint = limits.endpoint(head)
    bodyBytes = receiver?.limit ?? endpoint?.limits.bodyBytes ?? limits.bodyBytes
  }
}
