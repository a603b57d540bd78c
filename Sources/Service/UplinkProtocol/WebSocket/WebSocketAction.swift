/// What is to be done for a WebSocket.
package enum WebSocketAction: Hashable, Sendable {
  /// Send this.
  case send([UInt8])
  /// The other side says something.
  case message(WebSocketMessage)
  /// Close the connection, behind what is to be sent.
  case finish(WebSocketEnd)
}
