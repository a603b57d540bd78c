import Testing

@testable import LunaBackend

@Suite("Codes that a person types")
struct UserCodeTests {
  @Test("Eight letters of twenty, each of them sooner or later")
  func letters() throws {
    var seen: Set<UInt8> = []
    for _ in 0..<500 {
      let code = try UserCode()
      #expect(code.text.utf8.count == 8)
      seen.formUnion(code.text.utf8)
    }
    #expect(seen == Set("BCDFGHJKLMNPQRSTVWXZ".utf8))
  }

  @Test(
    "As it is shown it is understood",
    arguments: [
      "BCDF-GHJK", "bcdf-ghjk", "bcdfghjk", " BCDF GHJK ", "b-c-d-f-g-h-j-k",
    ])
  func typed(_ text: String) {
    #expect(UserCode(text)?.text == "BCDFGHJK")
    #expect(UserCode(text)?.shown == "BCDF-GHJK")
  }

  @Test(
    "What is none",
    arguments: [
      "", "BCDFGHJ", "BCDFGHJKL", "ACDFGHJK", "BCDFGHJ1", "BCDF_GHJK", "BCDFGHJY", "ſCDFGHJK",
    ])
  func others(_ text: String) { #expect(UserCode(text) == nil) }
}
