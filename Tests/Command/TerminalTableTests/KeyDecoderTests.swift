import LunaTesting
import Testing

@testable import TerminalTable

@Suite struct KeyDecoderTests {
  static let cases: [(String, [Key])] = [
    ("a", [.character("a")]),
    ("/é鍵🔑", [.character("/"), .character("é"), .character("鍵"), .character("🔑")]),
    ("\r\n", [.enter, .enter]), ("\t", [.tab]), ("\u{7F}\u{8}", [.backspace, .backspace]),
    ("\u{3}\u{1A}", [.control("c"), .control("z")]), ("\u{0}\u{1F}", [.other, .other]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
    (
      "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
      [.home, .end, .home, .end, .home, .end]
    ),
    ("\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.delete, .pageUp, .pageDown]),
    ("\u{1B}[1;5A", [.up]),
    ("\u{1B}[15~\u{1B}[200~\u{1B}[<0;1;1M\u{1B}[I", [.other, .other, .other, .other]),
    ("\u{1B}x", [.other]), ("\u{1B}\u{1B}[A", [.escape, .up]),
    ("\u{1B}OMq", [.enter, .character("q")]),
  ]

  @Test(arguments: cases) func keys(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == keys)
    #expect(!decoder.isWaiting)
  }

  @Test(arguments: cases) func piecesAreTheSame(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == keys)
  }

  @Test func escapeAloneNeedsAMoment() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == [])
    #expect(decoder.decode([0x1B, 0x5B]) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.decode([0x71]) == [.character("q")])
  }

  @Test(
    arguments: [
      ([0xFF, 0x71], [.other, .character("q")]), ([0xC3, 0x71], [.character("q")]),
      ([0x80, 0xC0, 0x71], [.other, .other, .character("q")]),
      ([0xE9, 0x8D, 0x1B, 0x5B, 0x41], [.up]),
      ([0xED, 0xA0, 0x80, 0x71], [.other, .character("q")]),
    ] as [([UInt8], [Key])])
  func brokenUTF8IsPassedOver(bytes: [UInt8], keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(bytes) == keys)
  }

  @Test func endlessSequenceEnds() {
    var decoder = KeyDecoder()
    _ = decoder.decode([0x1B, 0x5B] + Array(repeating: 0x30, count: 10_000))
    #expect(decoder.decode(Array("~~q".utf8)).last == .character("q"))
  }

  @Test func anyBytesAreTaken() {
    var generator = Seeded.drawn()
    var decoder = KeyDecoder()
    for _ in 0..<200_000 {
      let byte = UInt8.random(in: 0...255, using: &generator)
      _ = decoder.decode([
        Bool.random(using: &generator) ? byte : [0x1B, 0x5B, 0x4F, 0xE0][Int(byte & 3)]
      ])
    }
  }
}
