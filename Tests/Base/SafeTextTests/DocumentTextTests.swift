import SafeText
import Testing

struct DocumentTextTests {
  @Test(
    "JSON strings escape by RFC 8259, and what a terminal would obey",
    arguments: [
      ("plain ü 漢 😀", "plain ü 漢 😀"), ("\"\\/", "\\\"\\\\/"), ("\n\r\t", "\\n\\r\\t"),
      ("\u{0}\u{7}\u{1B}\u{7F}", "\\u0000\\u0007\\u001b\\u007f"),
      ("\u{85}\u{9B}", "\\u0085\\u009b"),
      ("\u{61C}\u{200F}\u{2028}", "\\u061c\\u200f\\u2028"), ("\u{202E}\u{2069}", "\\u202e\\u2069"),
    ])
  func json(_ text: String, _ expected: String) {
    var json = ""
    JSONEscape.append(text, to: &json)
    #expect(json == expected)
  }

  @Test(
    "Cells that a spreadsheet would take for formulas get an apostrophe, numbers do not",
    arguments: [
      ("=1+1", "'=1+1"), ("+49 30", "'+49 30"), ("@SUM(A1)", "'@SUM(A1)"), ("-x", "'-x"),
      ("-", "'-"), ("\tx", "'\\x09x"), ("\rx", "'\\x0dx"), ("-67", "-67"), ("+1.5e-3", "+1.5e-3"),
      ("-1.", "'-1."), ("-0x10", "'-0x10"), ("-1-1", "'-1-1"), ("-67;-70", "'-67;-70"),
      ("=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\""), ("a,b", "\"a,b\""),
      ("a\nb", "a\\x0ab"), ("", ""), ("x=1", "x=1"), ("\"", "\"\"\"\""),
      ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""), ("\"\u{200D},=1", "\"\"\"\u{200D},=1\""),
      ("'=1", "''=1"), ("''-5", "'''-5"), ("'tis", "'tis"),
    ])
  func csv(_ text: String, _ expected: String) {
    #expect(CSVCell.written(text) == expected)
  }

  @Test(
    "Texts of several lines keep them in a cell",
    arguments: [
      ("a\n\tb", "\"a\n\tb\""), ("=1\n=2", "\"'=1\n=2\""), ("\tx", "'\tx"), ("a\u{1B}", "a\\x1b"),
    ])
  func csvDocument(_ text: String, _ expected: String) {
    #expect(CSVCell.document(text) == expected)
  }

  @Test("XML holds no markup and no controls of others")
  func xml() {
    #expect(
      XMLText.escaped("<a b='\"'>&\u{1B}\u{9B}\u{202E}\u{FFFF}")
        == "&lt;a b=&apos;&quot;&apos;&gt;&amp;\\x1b\\x9b\\u202e\u{FFFD}")
  }
}
