import Testing

@testable import LunaBackend

@Suite("How often a program asks for its tokens")
struct DevicePaceTests {
  private static let second: Int64 = 1_000_000

  @Test("Five seconds, and five more for each question that comes early")
  func pace() {
    var pace = DevicePace()
    func ask(_ now: Int64) -> Bool { pace.ask(at: now) }
    #expect(ask(0))
    #expect(ask(5 * Self.second))
    #expect(!ask(9 * Self.second))
    #expect(pace.pause == 10)
    #expect(!ask(18 * Self.second))
    #expect(pace.pause == 15)
    #expect(ask(33 * Self.second))
    #expect(pace.pause == 15)
  }

  @Test("It never becomes endless")
  func longest() {
    var pace = DevicePace()
    func ask(_ now: Int64) -> Bool { pace.ask(at: now) }
    for _ in 0..<100 { _ = pace.ask(at: 0) }
    #expect(pace.pause == 60)
  }

  @Test("A damaged row is a pace as well", arguments: [Int64.min, .max])
  func damaged(number: Int64) {
    var pace = DevicePace(pause: number, asked: number)
    _ = pace.ask(at: 3600 * Self.second)
    #expect((5...60).contains(pace.pause) && pace.asked == 3600 * Self.second)
  }

  @Test("A clock that was set back makes nobody wait")
  func clock() {
    var pace = DevicePace()
    func ask(_ now: Int64) -> Bool { pace.ask(at: now) }
    #expect(ask(3600 * Self.second))
    #expect(ask(0))
  }
}
