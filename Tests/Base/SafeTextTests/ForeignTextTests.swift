import SafeText
import Testing

struct ForeignTextTests {
  /// Everything that CLI.md wants escaped.
  static let unsafe: [UInt32] =
    Array(0..<0x20) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F]
    + Array(0x2028...0x202E) + Array(0x2066...0x2069)

  @Test("Whatever steers a terminal or turns the direction is escaped", arguments: unsafe)
  func escapes(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let text = ForeignText("a\(Character(scalar))z")
    let digits = String(value, radix: 16)
    let pad = String(repeating: "0", count: (value < 0x100 ? 2 : 4) - digits.count)
    let escape = (value < 0x100 ? "\\x" : "\\u") + pad + digits
    #expect("\(text)" == "a" + escape + "z")
    #expect(String(reflecting: text) == "a" + escape + "z")
    #expect(text.raw.unicodeScalars.count == 3)
  }

  @Test("All other characters of Unicode stay as they are, and nothing else is unsafe")
  func keepsOthers() {
    let unsafe = Set(ForeignTextTests.unsafe)
    var all = String.UnicodeScalarView()
    for value in UInt32(0)...0x10FFFF where !unsafe.contains(value) {
      if let scalar = Unicode.Scalar(value) { all.append(scalar) }
    }
    let text = String(all)
    #expect(EscapedText.line(text) == text)
    #expect((UInt32(0)...0x10FFFF).filter(TextScan.isUnsafe) == ForeignTextTests.unsafe.sorted())
  }

  @Test("A carriage return with a line feed, one character to Swift, is escaped as two")
  func clusters() {
    #expect("\(ForeignText("a\r\nb"))" == "a\\x0d\\x0ab")
    #expect("\(ForeignText("e\u{301}\u{202E}"))" == "e\u{301}\\u202e")
  }

  @Test("Escaping twice changes nothing")
  func isIdempotent() {
    let once = ForeignText("\u{1B}[2J \\ ü \u{9B}1m").description
    #expect(ForeignText(once).description == once)
  }

  @Test("A document keeps its lines")
  func documents() {
    #expect(EscapedText.document("a\tb\n\u{1B}c\r\n") == "a\tb\n\\x1bc\\x0d\n")
  }

  @Test("Bytes that are not UTF-8 cannot smuggle a control")
  func bytes() {
    #expect(ForeignText(utf8: [0x61, 0x9B, 0x7A]).raw == "a\u{FFFD}z")
    #expect(ForeignText(utf8: [0xC2, 0x9B]).description == "\\x9b")
  }

  @Test("A long text is cut where characters end")
  func limits() {
    #expect(ForeignText("äöü").limited(to: 3).raw == "äöü")
    #expect(ForeignText("äöüx").limited(to: 3).raw == "äöü…")
  }
}
