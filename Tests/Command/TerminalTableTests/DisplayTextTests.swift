import Testing

@testable import TerminalTable

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("Luna", "Luna"), ("\u{1B}[31mred", #"\x1b[31mred"#), ("a\tb\nc\r", #"a\x09b\x0ac\x0d"#),
    ("a\u{7}\u{7F}\u{9B}b", #"a\x07\x7f\x9bb"#), ("\u{202E}abc\u{2066}", #"\u202eabc\u2066"#),
    ("a\u{200B}\u{200D}\u{FEFF}\u{E0041}b", "ab"), ("a\u{2028}b\u{A0}c", #"a\u2028b c"#),
    ("\u{E000}\u{378}x", "x"), ("e\u{301}\u{302}\u{303}\u{304}x", "e\u{301}\u{302}x"),
    ("\u{301}x", "x"), ("❤\u{FE0F}", "❤"), ("鍵 🔑", "鍵 🔑"), ("", ""),
  ])
  func clean(text: String, clean: String) {
    #expect(Array(DisplayText.clean(text).unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test func asciiOnly() {
    #expect(DisplayText.clean("né 鍵e\u{301}🔑", asciiOnly: true) == "n? ?e?")
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("鍵", 2), ("한글", 4), ("ｱ", 1), ("Ａ", 2),
    ("🔑", 2), ("▁█", 2), ("…", 1), ("😀a", 3), ("→", 1), ("🇩🇪", 2), ("⌚", 2), ("\u{1F5FF}", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2),
  ])
  func width(text: String, width: Int) {
    #expect(DisplayText.width(text) == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("abc", 0, ""), ("鍵鍵", 4, "鍵鍵"),
    ("鍵鍵", 3, "鍵…"), ("鍵鍵", 2, "…"), ("ae\u{301}x", 2, "a…"), ("ae\u{301}", 2, "ae\u{301}"),
  ])
  func truncate(text: String, width: Int, result: String) {
    #expect(DisplayText.truncate(text, to: width) == result)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "…cd"), ("鍵鍵", 3, "…鍵"), ("xe\u{301}y", 2, "…y"),
    ("abc", 1, "…"),
  ])
  func tail(text: String, width: Int, result: String) {
    #expect(DisplayText.tail(text, to: width) == result)
  }

  @Test func wrap() {
    #expect(DisplayText.wrap("one two three", width: 8) == ["one two", "three"])
    #expect(DisplayText.wrap("0123456789", width: 4) == ["0123", "4567", "89"])
    #expect(DisplayText.wrap("鍵鍵鍵", width: 3) == ["鍵", "鍵", "鍵"])
    #expect(DisplayText.wrap(" abcdef", width: 3) == [" ab", "cde", "f"])
    #expect(DisplayText.wrap("", width: 3) == [""])
    #expect(DisplayText.wrap("abc", width: 1) == [])
  }
}
