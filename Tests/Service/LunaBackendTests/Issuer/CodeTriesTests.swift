import Testing

@testable import LunaBackend

@Suite("Wrong codes")
struct CodeTriesTests {
  @Test("Five in ten minutes, then none until they are over")
  func limit() {
    var tries = CodeTries()
    for number: Int64 in 0..<5 {
      #expect(tries.pause(at: number * 1_000_000) == nil)
      tries.note(at: number * 1_000_000)
    }
    #expect(tries.pause(at: 5_000_000) == 595)
    #expect(tries.pause(at: 599_000_001) == 1)
    #expect(tries.pause(at: 600_000_000) == nil)
    tries.note(at: 600_000_000)
    #expect(tries.count == 1)
    // A clock that was set back begins anew.
    #expect(CodeTries(count: 5, since: 600_000_000).pause(at: 0) == nil)
  }

  @Test("A damaged row is a number of tries and a time", arguments: [Int64.min, -1, .max])
  func damaged(number: Int64) {
    var tries = CodeTries(count: number, since: number)
    #expect(tries.pause(at: 1_000_000_000_000_000) == nil)
    tries.note(at: 1_000_000_000_000_000)
    #expect(tries.count == 1)
    var many = CodeTries(count: number, since: 1_000_000_000_000_000)
    many.note(at: 1_000_000_000_000_000)
    #expect(many.count >= 1)
  }
}
