/// Takes the body of a request piece by piece, as it comes; the server keeps nothing of it. The handler is asked when
/// it is complete (``HTTPRequest/receivedBytes``).
package struct BodyReceiver: Sendable {
  /// Bytes of the body, on the wire.
  let limit: Int
  /// How long it may take.
  let patience: Duration
  let take: @Sendable (UnsafeRawBufferPointer) -> Bool
  /// Is given the socket of the connection when a piece has come, and at the end of the request, for what the kernel
  /// knows of it. It must not read from it or write to it, nor keep it.
  package var look: (@Sendable (Int32) -> Void)?
  /// Whether its request is answered however busy the server is: who waits for it has been let in before.
  package var isExpected = false

  /// A receiver for one request.
  ///
  /// - Parameters:
  ///   - limit: bytes of the body; a larger one is refused as any is.
  ///   - patience: how long the body may take.
  ///   - take: is given each piece in its order, on a thread that must not wait; false ends the connection without an
  ///     answer. No more than the limit comes, and perhaps less than all of the body: then nobody asks the handler.
  package init(
    limit: Int, patience: Duration,
    take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) {
    self.limit = limit
    self.patience = patience
    self.take = take
  }
}
