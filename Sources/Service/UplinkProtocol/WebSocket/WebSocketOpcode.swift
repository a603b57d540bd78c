/// What a frame is (RFC 6455, 5.2).
enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  /// Whether it is about the connection itself, and may come between the parts of a message.
  var isControl: Bool { rawValue >= 8 }
}
