/// Connects to peers: over bluetoothd, over a controller of one's own, over the kernel's L2CAP
/// socket, or to the trackers of the virtual radio.
///
/// Every call ends within its limit, whatever the peer, the adapter or bluetoothd do.
public protocol GATTClient: AnyObject, Sendable {
  /// Connects and finds out what the peer offers. Aborted attempts are made again at once, then with
  /// growing pauses, until the limit; errors that another attempt does not mend are thrown at once.
  ///
  /// - Parameters:
  ///   - peer: whom, by the address that it advertises from now.
  ///   - limits: how long this and everything on the connection may take.
  ///   - progress: gets a sentence about each attempt, for people who want to watch.
  /// - Throws: ``GATTError``.
  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection

  /// Ends every connection and lets go of everything. Can be called more than once.
  func close() async
}

extension GATTClient {
  /// Connects and finds out what the peer offers.
  public func connect(
    to peer: GATTPeer, _ limits: GATTLimits = GATTLimits()
  ) async throws(GATTError) -> any GATTConnection {
    try await connect(to: peer, limits, progress: { _ in })
  }
}
