/// A connection over TCP as the server of a recording has it.
public struct ServerConnection: Hashable, Sendable {
  /// The connection.
  public let pair: ConnectionPair
  /// What is asked and answered, in order.
  public let exchanges: [ServerExchange]
}
