/// Which side of a WebSocket it is: what a client sends is masked, what a server sends never (RFC 6455, 5.1).
package enum WebSocketRole: Sendable {
  case client, server
}
