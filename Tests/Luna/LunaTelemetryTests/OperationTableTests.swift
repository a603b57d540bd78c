import Testing

@testable import LunaTelemetry

@Suite("Operations that are open")
struct OperationTableTests {
  private var table = OperationTable()

  private func moment(
    _ seconds: Int, asleep: Int = 0, _ phases: [LifecyclePhase: Int] = [:]
  ) -> OperationMoment {
    OperationMoment(awake: .seconds(seconds), asleep: .seconds(asleep), phases: phases)
  }

  @Test("Replacing drops the open one")
  mutating func replaces() {
    _ = table.begin("a", cancelOn: [], duplicates: .replace, at: moment(0))
    _ = table.begin("a", cancelOn: [], duplicates: .replace, at: moment(3))
    #expect(table.end("a")?.duration(to: moment(5)) == .seconds(2))
    #expect(table.end("a") == nil)
  }

  @Test("Keeping ignores the new one")
  mutating func keeps() {
    #expect(table.begin("a", cancelOn: [], duplicates: .keep, at: moment(0)) != nil)
    #expect(table.begin("a", cancelOn: [], duplicates: .keep, at: moment(3)) == nil)
    #expect(table.end("a")?.duration(to: moment(5)) == .seconds(5))
    #expect(table.end("a") == nil)
  }

  @Test("Keeping does not keep what a phase has ended")
  mutating func keepsOnlyOpen() {
    _ = table.begin("a", cancelOn: [.reload], duplicates: .keep, at: moment(0))
    let later = moment(3, [.reload: 1])
    #expect(table.begin("a", cancelOn: [.reload], duplicates: .keep, at: later) != nil)
    #expect(table.end("a")?.duration(to: moment(5, [.reload: 1])) == .seconds(2))
  }

  @Test("Both run, and the first is finished first")
  mutating func both() {
    _ = table.begin("a", cancelOn: [], duplicates: .unique, at: moment(0))
    _ = table.begin("a", cancelOn: [], duplicates: .unique, at: moment(3))
    #expect(table.end("a")?.duration(to: moment(5)) == .seconds(5))
    #expect(table.end("a")?.duration(to: moment(5)) == .seconds(2))
    #expect(!table.has("a"))
  }

  @Test("One is ended by its number")
  mutating func numbers() {
    _ = table.begin("a", cancelOn: [], duplicates: .unique, at: moment(0))
    let second = table.begin("a", cancelOn: [], duplicates: .unique, at: moment(3))
    #expect(table.end("a", number: second)?.duration(to: moment(5)) == .seconds(2))
    #expect(table.end("a", number: second) == nil)
  }

  @Test("A phase ends those that say so", arguments: LifecyclePhase.allCases)
  mutating func phases(phase: LifecyclePhase) {
    _ = table.begin("a", cancelOn: [phase], duplicates: .replace, at: moment(0))
    _ = table.begin("b", cancelOn: [], duplicates: .replace, at: moment(0))
    let later = moment(5, [phase: 1])
    #expect(table.end("a")?.duration(to: later) == nil)
    #expect(table.end("b")?.duration(to: later) == .seconds(5))
  }

  @Test("Sleep ends those that say so, and does not count for others")
  mutating func sleep() {
    _ = table.begin("a", cancelOn: [.suspend], duplicates: .replace, at: moment(0))
    _ = table.begin("b", cancelOn: [], duplicates: .replace, at: moment(0))
    #expect(table.end("a")?.duration(to: moment(5, asleep: 60)) == nil)
    #expect(table.end("b")?.duration(to: moment(5, asleep: 60)) == .seconds(5))
  }

  @Test("Those that nobody finishes do not pile up")
  mutating func limit() {
    for index in 0..<2 * OperationTable.limit {
      _ = table.begin("a", cancelOn: [], duplicates: .unique, at: moment(index))
    }
    var count = 0
    while table.end("a") != nil { count += 1 }
    #expect(count == OperationTable.limit)
  }
}
