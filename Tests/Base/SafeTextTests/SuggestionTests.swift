import SafeText
import Testing

/// What is taken for a slip of the finger, and what for another word.
@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("san", ["scan"], "scan"), ("scaan", ["scan"], "scan"), ("scqn", ["scan"], "scan"),
      ("scna", ["scan"], "scan"), ("SCNA", ["Scan"], "Scan"), ("csna", ["scan"], nil),
      // A third of the letters may differ, and one of a few.
      ("abcdxx", ["abcdef"], "abcdef"), ("abcxxx", ["abcdef"], nil), ("abcxx", ["abcde"], nil),
      ("ax", ["ab"], "ab"),
      // One letter says too little, and one of which nothing else is left.
      ("a", ["ab"], nil), ("ab", ["a"], nil),
      // Three letters may be the beginning of a long word.
      ("tra", ["trackers"], "trackers"), ("tr", ["trackers"], nil),
      // The first of those that are as near.
      ("scam", ["scan", "scab"], "scan"), ("scan", ["scab", "scan"], "scan"), ("scan", [], nil),
    ] as [(String, [String], String?)])
  func finds(typed: String, words: [String], nearest: String?) {
    #expect(Suggestion.nearest(to: typed, among: words) == nearest)
  }

  @Test func looksForNoLongWords() {
    let (long, longer) = (String(repeating: "a", count: 64), String(repeating: "a", count: 65))
    #expect(Suggestion.nearest(to: long, among: [longer]) == longer)
    #expect(Suggestion.nearest(to: longer, among: [longer]) == nil)
  }
}
