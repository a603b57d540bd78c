import Testing

@testable import UplinkProtocol

/// Judgements in sentences.
struct OriginalJudgementTextTests {
  @Test func saysHowMuchTheyDiffer() throws {
    let lines = try OriginalJudgement(
      original: [Double](repeating: 4, count: 30), control: [Double](repeating: 8, count: 30),
      rule: .ios
    ).lines
    try #require(lines.count == 3)
    #expect(lines[0] == "throttled, by the rule of ios")
    #expect(lines[1] == "The original is 50.0 % slower than the control.")
    #expect(lines[2].hasPrefix("Kolmogorov-Smirnov: D 1.0, p ") && lines[2].contains("e-"))
    #expect(lines[2].hasSuffix("; 100.0 % of halves agree"))
  }

  @Test func saysThatNothingWasTransferred() throws {
    let lines = try OriginalJudgement(original: [], control: [], rule: .java).lines
    #expect(lines == ["inconclusive, by the rule of java", "Nothing was transferred."])
  }
}
