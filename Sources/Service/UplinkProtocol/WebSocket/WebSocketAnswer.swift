import LunaProtocol

/// What a server says to who opens a WebSocket (RFC 6455, 4.2), beside the change of the protocol itself.
package struct WebSocketAnswer: Hashable, Sendable {
  /// Why none is opened.
  package enum Refusal: Error, Hashable, Sendable {
    /// The request is no opening: 400.
    case malformed
    /// It is one of another version: 426, with ``WebSocketAnswer/version`` in `Sec-WebSocket-Version`.
    case version
    /// This machine cannot answer it: 500.
    case unable
  }

  /// The protocol, in `Upgrade`.
  package static let name = "websocket"
  /// The version of the protocol that is spoken.
  package static let version = "13"

  /// The value of `Sec-WebSocket-Accept`.
  package let accept: String

  /// The answer to a request, by its headers; nil for those that are missing. Subprotocols and extensions are not
  /// chosen.
  package init(method: String, version: String?, key: String?) throws(Refusal) {
    guard method == "GET", let key, key.utf8.count == 24,
      Base64.decode(key)?.count == WebSocketKey.count
    else { throw .malformed }
    guard version == WebSocketAnswer.version else { throw .version }
    guard let accept = WebSocketKey.answer(to: key) else { throw .unable }
    self.accept = accept
  }
}
