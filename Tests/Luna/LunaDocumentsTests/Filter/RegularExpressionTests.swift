import LunaTesting
import Testing

@testable import LunaDocuments

@Suite struct RegularExpressionTests {
  @Test(arguments: [
    ("", ""), ("", "a"), ("a", "bab"), ("^a", "ab"), ("b$", "ab"), ("^$", ""), ("a.c", "abc"),
    ("a.c", "aéc"), ("^.$", "鍵"), ("a*", ""), ("^a+$", "aaa"), ("^a?b$", "b"), ("^a{3}$", "aaa"),
    ("^a{2,}$", "aaaa"), ("^a{1,2}$", "aa"), ("^a{0,1}$", ""), ("a|b", "xb"), ("^(a|b)+$", "abba"),
    ("(a|)c", "c"), ("()", ""), ("[abc]", "xc"), ("[^abc]", "x"), ("^[a-c]+$", "abc"),
    ("[]]", "]"), ("[^]]", "x"), ("[a-]", "-"), ("[-a]", "-"), ("[\\]", "\\"), ("[.]", "."),
    ("[[:digit:]]+", "a1"), ("^[[:alpha:]_]+$", "a_é"), ("[[:space:]]", "a b"), ("[[.-.]]", "-"),
    ("[[=e=]]", "e"), ("\\.", "."), ("\\\\", "\\"), ("a\\|b", "a|b"), ("^\\$", "$"),
    ("\\<", "<"), ("^\\w+$", "ab_1"), ("\\W", "a b"), ("\\s", "a\tb"), ("\\bb", "a b"),
    ("\\Bb", "ab"), ("(?i)LUNA", "luna"), ("(?i)luna", "LUNA"), ("(?i)[a-c]É", "Bé"),
    ("(a*)*b", "aab"), ("(a*)+", ""), ("^(a{2}){2}$", "aaaa"), ("(^a|b$)", "cb"), ("]", "]"),
    ("}", "}"), ("a**", "b"), ("[[:punct:]]", "!"), ("[[:xdigit:]]", "F"), ("x|y|z", "z"),
  ])
  func matches(pattern: String, text: String) throws {
    #expect(try RegularExpression(pattern).matches(text))
  }

  @Test(arguments: [
    ("a", ""), ("^b", "ab"), ("a$", "ab"), ("^$", "a"), ("a.c", "ac"), ("^.$", "ab"),
    ("^a{3}$", "aa"), ("^a{3}$", "aaaa"), ("^a{2,}$", "a"), ("^a{1,2}$", "aaa"), ("[abc]", "x"),
    ("[^abc]", "a"), ("[a-c]", "d"), ("LUNA", "luna"), ("(?i)[^a]", "A"), ("\\.", "a"),
    ("^\\w+$", "a b"), ("\\bb", "ab"), ("^(ab|cd)$", "abcd"), ("[[:upper:]]", "a"), ("a|b", "c"),
    ("\\W", "é"),
  ])
  func doesNotMatch(pattern: String, text: String) throws {
    #expect(try !RegularExpression(pattern).matches(text))
  }

  @Test(arguments: [
    ("(", 0), ("a(b", 1), (")", 0), ("a)", 1), ("[", 0), ("[a", 0), ("[]", 0), ("*", 0), ("a|*", 2),
    ("(+a)", 1), ("a{", 1), ("a{x}", 1), ("a{2,1}", 1), ("a{256}", 1), ("a{1", 1), ("\\", 1),
    ("\\1", 1), ("(a)\\1", 4), ("\\d", 1), ("\\q", 1), ("[z-a]", 4), ("[[:nope:]]", 1), ("(?i", 1),
    ("a(?i)", 2), ("(?:a)", 1), ("{2}", 0),
  ])
  func saysWhereTheMistakeIs(pattern: String, position: Int) {
    #expect {
      try RegularExpression(pattern)
    } throws: { error in
      (error as? RegularExpression.CompileError)?.position == position
    }
  }

  /// What takes other engines years takes this one a moment: work is counted, not time.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "(a*)*b", "(a+)+$b", "(a|aa)+c", "(a|a?)+c", "(.*)(.*)(.*)(.*)(.*)x", "((a{0,30}){0,30})c",
    ])
  func cannotHang(pattern: String) throws {
    #expect(try !RegularExpression(pattern).matches(String(repeating: "a", count: 3_300)))
  }

  /// Any text is an expression or an error.
  @Test func anyTextIsTaken() {
    var generator = Seeded.drawn()
    let letters = Array("ab(){}[]|*+?^$.\\-:,=0123i")
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
      _ = (try? RegularExpression(text))?.matches("aab0a(b)")
    }
  }
}
