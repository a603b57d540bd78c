import Diagnosis
import LunaJSON
import Testing
import UplinkProtocol

struct ReplayFileTests {
  private func read(_ text: String) throws(ReplayFileError) -> ReplayFile {
    try ReplayFile(Array(text.utf8))
  }

  @Test func readsOneSideAndBoth() throws {
    let one = try read("[[1.5, 2, 0],[0.1,0.2,0.3]]\n")
    #expect(one.control == nil)
    #expect(one.original.rates == [1.5, 2, 0] && one.original.held == [1.5, 2])
    #expect(one.original.times == [0.1, 0.2, 0.3])
    let both = try read(#"{"original":[[1],[0]],"control":[[2],[1]],"more":null}"#)
    #expect(both.original.rates == [1] && both.control?.rates == [2])
    #expect(both.original.held.isEmpty)
    #expect(try ReplaySamples(json: one.original.json, name: "x") == one.original)
  }

  @Test(arguments: [
    "", "[]", "[[1],[2],[3]]", "[[1,2],[1]]", "[[],[]]", "[[-1],[1]]", "[[1],[-1]]",
    "[[1e999],[1]]",
    "[[NaN],[1]]", "[[\"1\"],[1]]", "[[null],[1]]", "[1,2]", "{}", "7", "\u{0}", "[[1],[1]]\u{0}",
    #"{"original":[[1],[1]]}"#, #"{"control":[[1],[1]]}"#,
    #"{"original":[[1],[1]],"original":[[2],[1]],"control":[[1],[1]]}"#,
  ])
  func refuses(_ text: String) {
    #expect(throws: ReplayFileError.self) { try read(text) }
  }

  @Test(arguments: [17, 64, 10_000, 1_000_000])
  func refusesDepth(_ depth: Int) {
    let open = String(repeating: "[", count: depth)
    #expect(throws: ReplayFileError.self) { try read(open) }
    #expect(throws: ReplayFileError.self) {
      try read(String(repeating: #"{"original":"#, count: depth))
    }
  }

  @Test func refusesMoreThanAServerHolds() throws {
    func text(_ count: Int) -> String {
      let list = [String](repeating: "1", count: count).joined(separator: ",")
      return "[[\(list)],[\(list)]]"
    }
    #expect(try read(text(ReplaySamples.limit)).original.held.count == 10_000)
    #expect(throws: ReplayFileError.self) { try read(text(ReplaySamples.limit + 1)) }
    let blanks = [UInt8](repeating: 0x20, count: ReplayFile.maximumCount + 1)
    #expect(throws: ReplayFileError.tooLarge) { try ReplayFile(blanks) }
  }

  @Test func saysWhichNumber() {
    let error = #expect(throws: ReplayFileError.self) { try read("[[1,2,-3],[1,2,3]]") }
    #expect(error?.description.contains("rates[2]") == true)
  }
}
