import UplinkProtocol

/// A client of a service of ours, in the clear.
final class ServiceClient {
  /// What the answer to its opening began with.
  let head: String
  private let socket: TestSocket
  private var session = WebSocketSession(.client)
  private var replies: [SessionReply] = []
  private var isOver = false

  /// Opens a side channel.
  init(port: UInt16, token: String = "known", version: String = "13") throws {
    guard let socket = TestSocket(port: port) else { throw TestServer.RelayErrorOfTest.noSocket }
    self.socket = socket
    socket.send(
      "GET /v1/uplink/session HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
        + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: \(version)\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    head = socket.webSocketRequest()
  }

  func say(_ request: SessionRequest) { say(request.text) }

  func say(_ text: String) { perform(session.say(.text(text))) }

  /// What is said next; nil at the end.
  func next() throws -> SessionReply? {
    while replies.isEmpty, !isOver {
      let byte = socket.receive(1)
      if byte.isEmpty { isOver = true } else { perform(session.take(byte)) }
    }
    return replies.isEmpty ? nil : replies.removeFirst()
  }

  private func perform(_ actions: [WebSocketAction]) {
    for action in actions {
      switch action {
      case .send(let bytes): socket.send(bytes)
      case .message(.text(let text)):
        if let reply = try? SessionReply(text) { replies.append(reply) }
      case .message(.binary): break
      case .finish: isOver = true
      }
    }
  }
}
