/// How a WebSocket came to its end.
package enum WebSocketEnd: Hashable, Sendable {
  /// Both sides have closed it.
  ///
  /// - Parameter code: why the other side closes; nil where it does not say.
  case closed(code: UInt16?)
  /// The other side did what it must not, and was told.
  case failed(WebSocketCode)
}
