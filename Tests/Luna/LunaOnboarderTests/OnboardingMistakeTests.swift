import LunaProtocol
import Testing

@testable import LunaOnboarder

@Suite("What is wrong with a code that somebody has typed")
struct OnboardingMistakeTests {
  private static let mistyped =
    "in line 1 a character is mistyped; which one, its check cannot tell"

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
    #expect(
      Self.mistake("LUNA1:8024H36H2NCSVRH6DAQF6DVVQZW")
        == "in line 1 character 1 behind LUNA1: is mistyped: no code has it there")
    #expect(Self.mistake("nothing\nLUNA1: is how it begins") == nil)
  }

  /// Of LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW.
  @Test(
    "Where one of the usual slips explains that the check does not fit, that is told",
    arguments: [
      // An N taken for an M.
      ("LUNA1:0024H36H2MCSVRH6DAQF6DVVQZW", "number 10"),
      ("luna1:0024-h36h-2mcs-vrh6-daqf-6dvv-qzw", "number 10"),
      // A 2 taken for a Z, which another 5 and 8 would explain too.
      ("LUNA1:0024H36HZNCSVRH6DAQF6DVVQZW", "number 5 or 9"),
      // Two in the wrong order.
      ("LUNA1:0024H63H2NCSVRH6DAQF6DVVQZW", "number 6"),
      ("LUNA1:0024H3H62NCSVRH6DAQF6DVVQZW", "number 7, 12 or 26"),
    ])
  func suspectsTheUsualSlips(code: String, place: String) {
    #expect(
      Self.mistake(code) == Self.mistyped + ": compare all 27, \(place) behind LUNA1: first")
  }

  @Test("Where none does, no place is told")
  func suspectsNothingElse() {
    #expect(
      Self.mistake("LUNA1:0024T36H2NCSVRH6DAQF6DVVQZW") == Self.mistyped + ": compare all 27")
  }
}
