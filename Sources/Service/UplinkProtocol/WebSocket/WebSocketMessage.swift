/// What one side of a WebSocket says to the other.
package enum WebSocketMessage: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Bytes.
  case binary([UInt8])
}
