/// What the other side of a WebSocket did that it must not.
struct WebSocketFailure: Error {
  /// How it is told.
  let code: WebSocketCode

  init(_ code: WebSocketCode) { self.code = code }
}
