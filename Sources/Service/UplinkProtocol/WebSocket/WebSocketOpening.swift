import LunaProtocol

/// The opening of a WebSocket by a client (RFC 6455, 4.1): a request of HTTP, and what is answered.
package struct WebSocketOpening: Sendable {
  /// How long the head of an answer may be, bytes.
  private static let limit = 8 << 10
  private static let end = Array("\r\n\r\n".utf8)

  private let url: WebSocketURL
  private let subprotocol: String?
  private let fields: [String]
  private let key: String
  private var head: [UInt8] = []

  /// An opening.
  ///
  /// - Parameters:
  ///   - subprotocol: what is spoken over it, a word; nil for what the URL says.
  ///   - fields: more fields of the request, a line each.
  ///   - key: 16 bytes that a cache cannot know; random ones by default.
  package init(
    _ url: WebSocketURL, subprotocol: String?, fields: [String] = [],
    key: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }
  ) {
    self.url = url
    self.subprotocol = subprotocol
    self.fields = fields
    self.key = Base64.encode(key.span)
  }

  /// What is sent.
  package var request: [UInt8] {
    var lines = [
      "GET \(url.target) HTTP/1.1", "Host: \(url.hostText):\(url.port)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
    lines += fields
    lines += ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Takes what came.
  ///
  /// - Returns: what follows the answer, and is of the WebSocket already; nil while the answer is not there as a whole.
  package mutating func take(_ bytes: [UInt8]) throws(WebSocketError) -> [UInt8]? {
    // The end may have begun in what came before.
    let from = max(0, head.count - WebSocketOpening.end.count + 1)
    head += bytes
    var place = from
    while place + WebSocketOpening.end.count <= min(head.count, WebSocketOpening.limit) {
      let next = place + WebSocketOpening.end.count
      if head[place..<next].elementsEqual(WebSocketOpening.end) {
        try check(String(decoding: head[..<place], as: UTF8.self))
        return Array(head[next...])
      }
      place += 1
    }
    guard head.count < WebSocketOpening.limit else {
      throw WebSocketError("the head of its answer is too long")
    }
    return nil
  }

  private func check(_ head: String) throws(WebSocketError) {
    let lines = head.split(separator: Character("\r\n"), omittingEmptySubsequences: false)
    let status = lines.first?.split(separator: " ") ?? []
    guard status.count >= 2, status[0] == "HTTP/1.1", status[1].count == 3,
      let number = UInt16(status[1])
    else { throw WebSocketError("its answer is not HTTP/1.1") }
    guard number == 101 else {
      throw WebSocketError("it answers \(number)\(WebSocketOpening.meaning(number))")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else {
        throw WebSocketError("its answer is not HTTP/1.1")
      }
      let name = line[..<colon].lowercased()
      var value = line[line.index(after: colon)...].drop(while: WebSocketOpening.isBlank)
      while let last = value.last, WebSocketOpening.isBlank(last) { value.removeLast() }
      fields[name] = fields[name].map { "\($0), \(value)" } ?? String(value)
    }
    guard fields["upgrade"]?.lowercased() == "websocket",
      (fields["connection"] ?? "").lowercased().split(whereSeparator: { ", \t".contains($0) })
        .contains("upgrade")
    else { throw WebSocketError("it does not change to one") }
    guard let answer = WebSocketKey.answer(to: key), fields["sec-websocket-accept"] == answer else {
      throw WebSocketError("it answers somebody else")
    }
    // A server may not choose what was not offered.
    guard fields["sec-websocket-extensions"] == nil,
      fields["sec-websocket-protocol"] == nil || fields["sec-websocket-protocol"] == subprotocol
    else { throw WebSocketError("it chooses what was not offered") }
  }

  /// What a server means by that, where it is usual.
  private static func meaning(_ status: UInt16) -> String {
    switch status {
    case 401, 403: " (it lets nobody in who shows no token that it knows)"
    case 404: " (it has none there)"
    case 429, 503: " (it has no room)"
    default: ""
    }
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }
}
