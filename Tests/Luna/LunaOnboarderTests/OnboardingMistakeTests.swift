import LunaProtocol
import Testing

@testable import LunaOnboarder

@Suite("What is wrong with a code that somebody has typed")
struct OnboardingMistakeTests {
  private static func mistake(_ lines: String) -> String? {
    OnboardingCode.mistake(inLinesOf: Array(lines.utf8))
  }

  @Test("The place is told, and the line; not the code")
  func tellsThePlace() {
    #expect(
      Self.mistake("My tracker\nLUNA1:0000-0!\(String(repeating: "0", count: 21))\n")
        == "in line 2 character 6 behind LUNA1: is mistyped: no code has it there")
    #expect(
      Self.mistake("luna1:000")
        == "in line 1 it is mistyped: the number of characters behind LUNA1: is 3, not 27")
    #expect(Self.mistake("nothing\nLUNA1: is how it begins") == nil)
  }
}
