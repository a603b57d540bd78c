import SafeText
import Testing

struct VisibleTextTests {
  @Test(arguments: [
    "ke\u{200B}ys", "\u{FEFF}keys", "keys\u{2060}", "k\u{200D}eys", "key\u{200C}s\u{200D}",
    "ke\u{AD}ys", "keys\u{FE0F}", "k\u{E0065}eys", "keys\u{E0100}", "\u{200C}\u{200D}keys",
  ])
  func nothingIsHidden(text: String) {
    #expect(Array(VisibleText.of(text).utf8) == Array("keys".utf8))
  }

  @Test(arguments: [
    "", "keys", "Schlüssel", "👩\u{200D}🚀", "❤\u{FE0F}\u{200D}🔥", "1\u{FE0F}\u{20E3}", "©\u{FE0F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "می\u{200C}خواهم",
    "क\u{94D}\u{200D}ष", "葛\u{E0100}", "👍🏽",
  ])
  func whatIsNeededStays(text: String) {
    #expect(Array(VisibleText.of(text).utf8) == Array(text.utf8))
  }

  @Test func aJoinerHasSomethingToJoin() {
    #expect(VisibleText.of("می\u{200C}\u{200C}خ").unicodeScalars.count == 4)
    #expect(VisibleText.of("می\u{200C}\u{FEFF}").unicodeScalars.count == 2)
    #expect(VisibleText.of("漢\u{200D}字").unicodeScalars.count == 2)
  }
}
