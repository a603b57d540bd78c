import LunaTesting
import Testing

@testable import LunaDocuments

@Suite struct BlockOrderTests {
  /// A step in words.
  private func text(_ step: BlockOrder<String>.Step?) -> String {
    switch step {
    case .write(let block): "write \(block)"
    case .work(let number, let block): "work on \(number), \(block)"
    case .wait: "wait"
    case nil: "go on"
    }
  }

  @Test func theWriterDoesEverythingWhereNobodyHelps() throws {
    var order = BlockOrder<String>(limit: 2)
    order.add("a")
    #expect(text(order.step(untilEmpty: false)) == "go on")
    order.add("b")
    #expect(text(order.step(untilEmpty: false)) == "work on 0, a")
    #expect(order.finish(0) == false)
    #expect(text(order.step(untilEmpty: false)) == "write a")
    #expect(text(order.step(untilEmpty: false)) == "go on")
    #expect(text(order.step(untilEmpty: true)) == "work on 1, b")
    #expect(order.finish(1) == false)
    #expect(text(order.step(untilEmpty: true)) == "write b")
    #expect(text(order.step(untilEmpty: true)) == "go on")
    #expect(order.count == 0)
  }

  @Test func whatIsDoneEarlyWaitsForTheOldest() throws {
    var order = BlockOrder<String>(limit: 3)
    for block in ["a", "b", "c"] { order.add(block) }
    #expect(order.begin()?.block == "a")
    #expect(order.begin()?.block == "b")
    #expect(order.finish(1) == false)
    #expect(text(order.step(untilEmpty: false)) == "work on 2, c")
    #expect(order.finish(2) == false)
    #expect(text(order.step(untilEmpty: false)) == "wait")
    #expect(order.begin() == nil)
    #expect(order.finish(0) == true)
    for block in ["a", "b", "c"] { #expect(text(order.step(untilEmpty: true)) == "write \(block)") }
    #expect(text(order.step(untilEmpty: true)) == "go on")
  }

  /// Only the block that is waited for wakes the writer, and once.
  @Test func wakesTheWriterForTheOldestOnly() throws {
    var order = BlockOrder<String>(limit: 2)
    for block in ["a", "b"] { order.add(block) }
    _ = order.begin()
    _ = order.begin()
    #expect(text(order.step(untilEmpty: false)) == "wait")
    #expect(order.finish(1) == false)
    #expect(order.finish(0) == true)
    #expect(text(order.step(untilEmpty: true)) == "write a")
    #expect(text(order.step(untilEmpty: true)) == "write b")
  }

  /// Whatever the threads do when: each block is done once, all are written in order, none is forgotten, and there
  /// are never more than the limit.
  @Test func keepsTheOrderWhoeverIsFaster() throws {
    var generator = Seeded.drawn()
    for _ in 0..<300 {
      let limit = Int.random(in: 1...6, using: &generator)
      let count = Int.random(in: 0...40, using: &generator)
      var run = BlockRun(
        limit: limit, count: count, helpers: Int.random(in: 0...3, using: &generator))
      while !run.isOver { try run.advance(using: &generator) }
      #expect(run.written == Array(0..<count))
      #expect(run.done.sorted() == Array(0..<count))
      #expect(run.most <= limit)
    }
  }
}
