import Synchronization

/// A request on its way through the server. The library's thread that serves the connection and, while
/// the connection is suspended, the task that answers use it in turn; the lock is for the hand-over.
final class Exchange: Sendable {
  /// How far it is.
  struct State: Sendable {
    var body: [UInt8] = []
    /// Bytes that came after the limit was reached.
    var excess = 0
    var response: HTTPResponse?
  }

  let id: String
  let head: HTTPHead
  let client: ClientAddress
  let began = ContinuousClock.now
  let state = Mutex(State())

  init(id: String, head: HTTPHead, client: ClientAddress) {
    self.id = id
    self.head = head
    self.client = client
  }
}
