import Testing

@testable import luna

@Suite struct PlainTextTests {
  @Test func removesWhatSteersATerminal() {
    #expect(
      PlainText.printable("a\u{1B}[31mb\r\n\u{07}") == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(PlainText.printable("\u{202E}evil\u{9B}2J") == "\u{FFFD}evil\u{FFFD}2J")
    #expect(PlainText.printable("Größe 大 🙂") == "Größe 大 🙂")
  }
}
