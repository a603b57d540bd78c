import LunaProtocol
import Testing

@testable import LunaCLI

@Suite("What the demonstration checks")
struct DemoCheckTests {
  private func heid(_ number: UInt64) -> HEID { HEID(high: number, low: number) }

  @Test("Every report has to be there, and once")
  func counts() {
    let (first, second, other) = (heid(1), heid(2), heid(3))
    var tally = DemoGateway.Tally()
    tally.sightings = [first: 2, second: 1, other: 9]
    #expect(tally.found == 12)
    func problem(_ stored: [HEID], doubts: String? = nil) -> String? {
      DemoCheck(stored: stored, names: 2, doubts: doubts, of: tally).problem
    }
    #expect(problem([first, second, first]) == nil)
    // One is missing, and one is there twice.
    #expect(problem([first, second])?.contains("sent 3 reports, and 2 are") == true)
    #expect(problem([first, second, first, second])?.contains("sent 3 reports, and 4 are") == true)
    #expect(
      problem([first, second, first], doubts: "1 not opened")?.contains("1 not opened") == true)
    // What the gateway lost, and said so, cannot be there.
    tally.lost = 1
    #expect(problem([first, second]) == nil)
  }

  @Test("It says how many there are, under how many names")
  func text() {
    let tally = DemoGateway.Tally()
    let one = DemoCheck(stored: [], names: 1, doubts: nil, of: tally).text("Keys")
    #expect(one.hasPrefix("Keys: 0 positions, sent under one name;"))
  }
}
