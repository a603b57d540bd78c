import SafeText
import Testing

/// Looking for a text in another, byte by byte.
struct TextSearchTests {
  @Test(arguments: [
    ("", "", true), ("a", "", true), ("", "a", false), ("abc", "bc", true), ("abc", "bd", false),
    ("aab", "ab", true), ("straße", "aß", true), ("abc", "abcd", false),
  ])
  func contains(text: String, part: String, isIn: Bool) {
    #expect(text.contains(text: part) == isIn)
    #expect(text[...].contains(text: part[...]) == isIn)
  }

  @Test(arguments: [
    ("a, b, c", ", ", 9, ["a", "b", "c"]), ("a, b, c", ", ", 1, ["a", "b, c"]),
    ("--a--", "--", 9, ["a"]), ("", "x", 9, []), ("abc", "x", 9, ["abc"]),
    ("aaa", "aa", 9, ["a"]),
  ])
  func splits(text: String, separator: String, most: Int, parts: [String]) {
    #expect(text.split(separatedBy: separator, maxSplits: most).map(String.init) == parts)
  }

  @Test(arguments: [
    ("it's", "'", #"'\''"#, #"it'\''s"#), ("aaa", "aa", "b", "ba"), ("abc", "x", "y", "abc"),
    ("", "a", "b", ""), ("a", "a", "", ""), ("abc", "", "x", "abc"),
  ])
  func replaces(text: String, part: String, other: String, result: String) {
    #expect(text.replacing(text: part, with: other) == result)
  }
}
