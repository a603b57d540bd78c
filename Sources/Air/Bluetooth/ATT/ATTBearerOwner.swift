/// Gets what an ``ATTBearer`` carries; called on the bearer's thread.
public protocol ATTBearerOwner: AnyObject, Sendable {
  /// The other side sent this.
  func received(_ pdu: [UInt8])

  /// The bearer is not congested any more.
  func bearerIsReady()

  /// The link is down; the last call.
  ///
  /// - Parameter error: why. Its operation is `connect`; its kind is `abortedLocally` after
  ///   ``ATTBearer/close()``.
  func bearerEnded(_ error: GATTError)
}
