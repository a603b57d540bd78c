/// Cuts what comes into frames. It holds one at most, and what has come of the next ones: one that is too long is
/// refused before any of it has come.
struct WebSocketFrameReader: Sendable {
  private let role: WebSocketRole
  private var buffer: [UInt8] = []
  private var start = 0

  /// - Parameter role: who reads.
  init(_ role: WebSocketRole) { self.role = role }

  /// Adds what has come.
  mutating func append(_ bytes: [UInt8]) {
    buffer.removeSubrange(..<start)
    start = 0
    buffer += bytes
  }

  /// The next frame; nil while it is not there as a whole.
  ///
  /// - Parameter limit: how long the part of a message may be, bytes.
  mutating func next(limit: Int) throws(WebSocketFailure) -> WebSocketFrame? {
    let rest = buffer[start...]
    guard rest.count >= 2 else { return nil }
    let (first, second) = (rest[start], rest[start + 1])
    // No extension was agreed upon that could mean something by these bits.
    guard first & 0x70 == 0, let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
      throw WebSocketFailure(.protocolError)
    }
    let isFinal = first & 0x80 != 0
    let isMasked = second & 0x80 != 0
    guard isMasked == (role == .server) else { throw WebSocketFailure(.protocolError) }
    let short = Int(second & 0x7F)
    if opcode.isControl, !isFinal || short > WebSocketFrame.controlLimit {
      throw WebSocketFailure(.protocolError)
    }
    var place = start + 2
    var count = short
    if short > WebSocketFrame.controlLimit {
      let width = short == 126 ? 2 : 8
      guard rest.count >= 2 + width else { return nil }
      let length = rest[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard let exact = Int(exactly: length) else { throw WebSocketFailure(.protocolError) }
      count = exact
      place += width
    }
    guard opcode.isControl || count <= limit else { throw WebSocketFailure(.tooLarge) }
    var mask: UInt32 = 0
    if isMasked {
      guard rest.endIndex - place >= 4 else { return nil }
      mask = rest[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      place += 4
    }
    guard rest.endIndex - place >= count else { return nil }
    let payload = rest[place..<place + count]
    start = place + count
    return WebSocketFrame(
      opcode: opcode, isFinal: isFinal,
      payload: isMasked ? WebSocketFrame.masked(payload, mask) : Array(payload))
  }
}
