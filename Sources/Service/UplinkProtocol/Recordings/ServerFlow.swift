/// What the server of a recording sends to one client over UDP.
public struct ServerFlow: Hashable, Sendable {
  /// Client and server.
  public let pair: ConnectionPair
  /// What is sent, in order.
  public let datagrams: [ServerDatagram]
}
