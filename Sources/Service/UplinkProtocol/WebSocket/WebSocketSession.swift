/// One side of a WebSocket that is open (RFC 6455): what comes goes in, what is to be done comes out. It holds a
/// message at most, and answers pings by itself.
package struct WebSocketSession: Sendable {
  private enum State {
    case open
    /// This side has closed, and waits for the other one.
    case closing
    case closed
  }

  private let role: WebSocketRole
  private let limit: Int
  private let mask: @Sendable () -> UInt32
  private var state = State.open
  private var reader: WebSocketFrameReader
  /// What has come of a message in parts: what it is, and its bytes.
  private var opcode: WebSocketOpcode?
  private var parts: [UInt8] = []

  /// A WebSocket after its opening.
  ///
  /// - Parameters:
  ///   - limit: how long a message may be, bytes.
  ///   - mask: makes the masks of a client, which nobody must be able to guess (RFC 6455, 10.3).
  package init(
    _ role: WebSocketRole, limit: Int = 16 << 10,
    mask: @escaping @Sendable () -> UInt32 = { .random(in: 0 ... .max) }
  ) {
    self.role = role
    self.limit = limit
    self.mask = mask
    reader = WebSocketFrameReader(role)
  }

  /// Says something; nothing where this side has closed.
  package mutating func say(_ message: WebSocketMessage) -> [WebSocketAction] {
    guard state == .open else { return [] }
    switch message {
    case .text(let text): return [send(.text, Array(text.utf8))]
    case .binary(let bytes): return [send(.binary, bytes)]
    }
  }

  /// Asks the other side whether it is there; its answer is not told.
  package mutating func ping() -> [WebSocketAction] { state == .open ? [send(.ping, [])] : [] }

  /// Closes; the end comes when the other side has done so too.
  package mutating func close(_ code: WebSocketCode = .normal) -> [WebSocketAction] {
    guard state == .open else { return [] }
    state = .closing
    return [send(.close, WebSocketSession.payload(code.rawValue))]
  }

  /// Takes what came.
  package mutating func take(_ bytes: [UInt8]) -> [WebSocketAction] {
    guard state != .closed else { return [] }
    reader.append(bytes)
    var actions: [WebSocketAction] = []
    do throws(WebSocketFailure) {
      while state != .closed, let frame = try reader.next(limit: limit - parts.count) {
        actions += try take(frame)
      }
    } catch {
      actions += close(telling: error.code.rawValue)
      actions.append(finish(.failed(error.code)))
    }
    return actions
  }

  private mutating func take(_ frame: WebSocketFrame) throws(WebSocketFailure) -> [WebSocketAction]
  {
    switch frame.opcode {
    case .ping: return state == .open ? [send(.pong, frame.payload)] : []
    case .pong: return []
    case .close:
      let code = try WebSocketSession.code(frame.payload)
      return close(telling: code) + [finish(.closed(code: code))]
    case .text, .binary:
      guard opcode == nil else { throw WebSocketFailure(.protocolError) }
      opcode = frame.opcode
    case .continuation:
      guard opcode != nil else { throw WebSocketFailure(.protocolError) }
    }
    parts += frame.payload
    guard frame.isFinal else { return [] }
    let (kind, bytes) = (opcode, parts)
    opcode = nil
    parts = []
    guard kind == .text else { return told(.binary(bytes)) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WebSocketFailure(.invalidText)
    }
    return told(.text(text))
  }

  /// Who has closed does not want to hear anything more.
  private func told(_ message: WebSocketMessage) -> [WebSocketAction] {
    state == .open ? [.message(message)] : []
  }

  /// Closes where this side has not done so yet.
  private mutating func close(telling code: UInt16?) -> [WebSocketAction] {
    guard state == .open else { return [] }
    state = .closing
    return [send(.close, code.map(WebSocketSession.payload) ?? [])]
  }

  private mutating func finish(_ end: WebSocketEnd) -> WebSocketAction {
    state = .closed
    return .finish(end)
  }

  private func send(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> WebSocketAction {
    let frame = WebSocketFrame(opcode: opcode, isFinal: true, payload: payload)
    return .send(frame.bytes(mask: role == .client ? mask() : nil))
  }

  private static func payload(_ code: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
  }

  /// Why the other side closes; what it says beside that only has to be a text.
  private static func code(_ payload: [UInt8]) throws(WebSocketFailure) -> UInt16? {
    if payload.isEmpty { return nil }
    guard payload.count >= 2 else { throw WebSocketFailure(.protocolError) }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard WebSocketCode.isAllowed(code) else { throw WebSocketFailure(.protocolError) }
    guard String(validating: payload[2...], as: UTF8.self) != nil else {
      throw WebSocketFailure(.invalidText)
    }
    return code
  }
}
