import LunaCrypto
import LunaProtocol

/// The server's end of a WebSocket, in the clear.
extension TestSocket {
  /// Reads a request for one; its head.
  func webSocketRequest() -> String {
    var head = ""
    while !head.hasSuffix("\r\n\r\n") {
      let byte = receive(1)
      guard !byte.isEmpty else { break }
      head += String(decoding: byte, as: UTF8.self)
    }
    return head
  }

  /// Opens it, as a request asks for.
  func openWebSocket(_ request: String) throws { send(try TestSocket.answer(toOpening: request)) }

  /// What opens it.
  static func answer(toOpening request: String) throws -> String {
    let name = "Sec-WebSocket-Key: "
    let line = request.split(separator: Character("\r\n")).first { $0.hasPrefix(name) }
    let key = line.map { String($0.dropFirst(name.count)) } ?? ""
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    let digest = try SHA1.digest(of: text.span)
    let accept = Base64.encode(digest.span)
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n"
      + "Sec-WebSocket-Protocol: net.measurementlab.envelope\r\n\r\n"
  }
}
