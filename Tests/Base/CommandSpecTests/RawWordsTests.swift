import CommandSpec
import Testing

@Suite struct RawWordsTests {
  @Test(
    arguments: [
      (["scan", "--bogus", "--format", "jsonl"], "jsonl"), (["--format=csv", "--x"], "csv"),
      (["--format=csv", "--format", "table"], "table"), (["--format="], ""), (["--format"], nil),
      (["--", "--format=csv"], nil), (["--formats=csv"], nil), ([], nil),
    ] as [([String], String?)])
  func lastOneHolds(words: [String], text: String?) {
    #expect(RawWords.text(of: "format", in: words) == text)
  }
}
