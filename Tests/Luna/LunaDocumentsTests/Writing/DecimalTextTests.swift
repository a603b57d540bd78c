import Testing

@testable import LunaDocuments

@Suite struct DecimalTextTests {
  @Test(
    arguments: [
      (125, 2, "1.25"), (500, 2, "5"), (0, 2, "0"), (-5, 1, "-0.5"), (7, 3, "0.007"),
      (120, 1, "12"),
      (-1250, 3, "-1.25"),
    ] as [(Int64, Int, String)])
  func printsExactly(_ value: Int64, _ digits: Int, _ text: String) {
    #expect(DecimalText.text(value, digits: digits) == text)
  }
}
