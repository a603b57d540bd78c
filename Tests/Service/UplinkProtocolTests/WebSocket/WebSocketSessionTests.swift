import LunaTesting
import Testing

@testable import UplinkProtocol

struct WebSocketSessionTests {
  private static let mask: UInt32 = 0x37FA_213D

  private func client(limit: Int = 1000) -> WebSocketSession {
    WebSocketSession(.client, limit: limit) { Self.mask }
  }

  /// A frame of a server.
  private func frame(
    _ opcode: WebSocketOpcode, _ payload: String = "", isFinal: Bool = true
  ) -> [UInt8] {
    WebSocketFrame(opcode: opcode, isFinal: isFinal, payload: Array(payload.utf8)).bytes(mask: nil)
  }

  private func ends(_ actions: [WebSocketAction]) -> WebSocketEnd? {
    actions.compactMap { if case .finish(let end) = $0 { end } else { nil } }.first
  }

  @Test func sendsMaskedText() {
    var session = client()
    #expect(
      session.say(.text("Hello"))
        == [.send([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])])
  }

  @Test func sendsTextAsAServer() {
    var session = WebSocketSession(.server)
    #expect(session.say(.text("Hello")) == [.send([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])])
  }

  @Test func readsMaskedText() {
    var session = WebSocketSession(.server)
    let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(session.take(bytes) == [.message(.text("Hello"))])
  }

  @Test func readsParts() {
    var session = client()
    #expect(session.take([0x01, 0x03, 0x48, 0x65, 0x6C]).isEmpty)
    // A ping may come in between.
    #expect(
      session.take([0x89, 0x01, 0x78]) == [.send([0x8A, 0x81, 0x37, 0xFA, 0x21, 0x3D, 0x4F])])
    #expect(session.take([0x80, 0x02, 0x6C, 0x6F]) == [.message(.text("Hello"))])
  }

  @Test(arguments: [0, 125, 126, 65_535, 65_536]) func carriesEveryLength(_ count: Int) {
    var (sender, receiver) = (client(), WebSocketSession(.server, limit: 1 << 17))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    guard case .send(let sent)? = sender.say(.binary(bytes)).first else {
      Issue.record("nothing is sent")
      return
    }
    // Byte by byte at first.
    var actions: [WebSocketAction] = []
    for byte in sent.prefix(200) { actions += receiver.take([byte]) }
    actions += receiver.take(Array(sent.dropFirst(200)))
    #expect(actions == [.message(.binary(bytes))])
  }

  @Test func closesWhenTheOtherSideDoes() {
    var session = client()
    let close = WebSocketFrame(opcode: .close, isFinal: true, payload: [0x03, 0xE9, 0x78])
    let answer = WebSocketFrame(opcode: .close, isFinal: true, payload: [0x03, 0xE9])
    #expect(
      session.take(close.bytes(mask: nil) + frame(.text, "late"))
        == [.send(answer.bytes(mask: Self.mask)), .finish(.closed(code: 1001))])
    #expect(session.take(frame(.text, "x")).isEmpty && session.say(.text("x")).isEmpty)
    #expect(session.close().isEmpty && session.ping().isEmpty)
  }

  @Test func waitsForTheOtherSideWhenItCloses() {
    var session = client()
    #expect(session.close().count == 1)
    #expect(session.take(frame(.text, "unheard") + frame(.ping)).isEmpty)
    #expect(session.take(frame(.close)) == [.finish(.closed(code: nil))])
  }

  @Test func failsWhereTheProtocolIsBroken() {
    let wrong: [(String, [UInt8], WebSocketCode)] = [
      ("masked by a server", [0x81, 0x81, 1, 2, 3, 4, 5], .protocolError),
      ("a reserved bit", [0xC1, 0x00], .protocolError),
      ("an unknown opcode", [0x83, 0x00], .protocolError),
      ("an unknown control opcode", [0x8B, 0x00], .protocolError),
      ("a ping in parts", [0x09, 0x00], .protocolError),
      ("a long ping", [0x89, 0x7E, 0x00, 0x7E], .protocolError),
      ("a part of nothing", [0x80, 0x00], .protocolError),
      ("a message within one", [0x01, 0x00, 0x81, 0x00], .protocolError),
      (
        "a negative length", [0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        .protocolError
      ),
      (
        "the longest length", [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        .tooLarge
      ),
      ("more than the limit", [0x82, 0x7E, 0x03, 0xE9], .tooLarge),
      ("half a code", [0x88, 0x01, 0x03], .protocolError),
      ("a code that is never sent", [0x88, 0x02, 0x03, 0xED], .protocolError),
      ("no text", [0x81, 0x02, 0xC3, 0x28], .invalidText),
      ("no text in a close", [0x88, 0x04, 0x03, 0xE8, 0xC3, 0x28], .invalidText),
    ]
    for (name, bytes, code) in wrong {
      var session = client()
      let actions = session.take(bytes)
      let number = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
      let close = WebSocketFrame(opcode: .close, isFinal: true, payload: number)
      #expect(
        actions == [.send(close.bytes(mask: Self.mask)), .finish(.failed(code))], "\(name)")
      #expect(session.take(frame(.ping)).isEmpty)
    }
    var server = WebSocketSession(.server)
    #expect(ends(server.take([0x81, 0x00])) == .failed(.protocolError))
  }

  @Test func boundsAMessageInParts() {
    var session = client(limit: 10)
    #expect(session.take(frame(.text, "12345", isFinal: false)).isEmpty)
    // Parts without bytes are no end of it.
    for _ in 0..<1000 { #expect(session.take(frame(.continuation, isFinal: false)).isEmpty) }
    #expect(session.take(frame(.continuation, "67890", isFinal: false)).isEmpty)
    #expect(ends(session.take(frame(.continuation, "1"))) == .failed(.tooLarge))
  }

  /// In whatever parts bytes come, the same is made of them, and nothing traps.
  @Test func survivesAnything() {
    var random = Seeded.drawn()
    for _ in 0..<20_000 {
      var bytes = [
        frame(.text, "first"), frame(.ping, "p"), frame(.text, "a", isFinal: false),
        frame(.continuation, "b"), frame(.close),
      ].flatMap { $0 }
      for _ in 0...2 {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var (whole, parts) = (client(), client())
      let expected = whole.take(bytes)
      let actions = parts.take(Array(bytes[..<cut])) + parts.take(Array(bytes[cut...]))
      #expect(actions == expected)
    }
  }
}
