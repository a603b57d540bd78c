import Dispatch
import LunaTesting
import Testing

@testable import LunaBackend

/// Whose turn it is at the connections to PostgreSQL. None of them is made here: nothing is asked of a server.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLPoolTests {
  /// A pool, and what was done by it.
  private struct Scene: Sendable {
    let pool: PostgreSQLPool
    let gate = DispatchSemaphore(value: 0)
    let done: Watched<[String]>

    init(connections: Int) {
      let done = Watched<[String]>([])
      self.done = done
      pool = PostgreSQLPool(
        "", PostgreSQLLink(StorageOutage(.none)), connections: connections, capacity: 100,
        batchLimit: 10
      ) { jobs, _ in
        for job in jobs {
          done.withLock { $0.append("events") }
          job.continuation.resume(returning: .success(job.events.map { _ in .new }))
        }
      }
    }

    func note(_ text: String, _ lane: PostgreSQLPool.Lane = .quick) async throws {
      try await pool.run(lane) { [done] _ throws(StorageError) in
        done.withLock { $0.append(text) }
      }
    }

    /// Has a connection until somebody opens the gate.
    func hold(_ lane: PostgreSQLPool.Lane) async throws {
      try await pool.run(lane) { [done, gate] _ throws(StorageError) in
        done.withLock { $0.append("held") }
        gate.wait()
      }
    }
  }

  @Test func eventsHaveTheirTurn() async throws {
    let scene = Scene(connections: 1)
    let events = try Samples.identified([Samples.event(1)])
    let count = 2 * PostgreSQLPool.mostInRow
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await scene.hold(.quick) }
      try await scene.done.until { $0 == ["held"] }
      group.addTask { _ = try await scene.pool.keep(events, at: 0) }
      for _ in 0..<count { group.addTask { try await scene.note("other") } }
      try await waitUntil { scene.pool.waiting == count + 1 }
      scene.gate.signal()
      try await group.waitForAll()
    }
    let order = scene.done.value
    #expect(order.count == count + 2)
    #expect(order.firstIndex(of: "events") == 1 + PostgreSQLPool.mostInRow)
  }

  @Test func eventsComeAfterSomethingLong() async throws {
    let scene = Scene(connections: 1)
    let events = try Samples.identified([Samples.event(1)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await scene.hold(.long) }
      try await scene.done.until { $0 == ["held"] }
      for _ in 0..<3 { group.addTask { try await scene.note("long", .long) } }
      try await waitUntil { scene.pool.waiting == 3 }
      group.addTask { _ = try await scene.pool.keep(events, at: 0) }
      try await waitUntil { scene.pool.waiting == 4 }
      scene.gate.signal()
      try await group.waitForAll()
    }
    #expect(scene.done.value == ["held", "events", "long", "long", "long"])
  }

  /// Of two connections, one is there for all else.
  @Test(arguments: [PostgreSQLPool.Lane.serial, .long])
  func aConnectionIsLeft(lane: PostgreSQLPool.Lane) async throws {
    let scene = Scene(connections: 2)
    let events = try Samples.identified([Samples.event(1)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await scene.hold(lane) } }
      try await waitUntil { scene.pool.waiting == 2 && scene.done.value.count == 1 }
      #expect(try await scene.pool.keep(events, at: 0) == [.new])
      try await scene.note("other")
      #expect(scene.done.value == ["held", "events", "other"])
      for _ in 0..<3 { scene.gate.signal() }
      try await group.waitForAll()
    }
    #expect(scene.done.value == ["held", "events", "other", "held", "held"])
  }

  @Test func whatIsTooMuchIsRefused() async throws {
    let scene = Scene(connections: 1)
    let (most, mostLong) = (PostgreSQLPool.limit, PostgreSQLPool.longLimit)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await scene.hold(.quick) }
      try await scene.done.until { $0 == ["held"] }
      for _ in 0..<mostLong { group.addTask { try await scene.note("long", .long) } }
      try await waitUntil { scene.pool.waiting == mostLong }
      await #expect {
        try await scene.note("long", .long)
      } throws: { ($0 as? StorageError)?.kind == .overloaded }
      // All else is taken still.
      for _ in mostLong..<most { group.addTask { try await scene.note("other") } }
      try await waitUntil { scene.pool.waiting == most }
      await #expect {
        try await scene.note("other")
      } throws: { ($0 as? StorageError)?.kind == .overloaded }
      scene.gate.signal()
      try await group.waitForAll()
    }
    #expect(scene.done.value.count == 1 + most)
    try await scene.note("other")
  }
}
