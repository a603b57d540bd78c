import LunaCore
import Testing

@testable import LunaFinder

/// A backend, or who answers in its place, that finds batches too large.
@Suite struct RefusalTests {
  private static let tooLarge = BackendError(.malformed, "too large", status: 413)

  /// A queue and a server around a machine: ids wait, and go when they are taken.
  private struct World {
    var driver = Driver()
    var waiting: [Int64]
    /// Those that were postponed or refused by themselves come last, as the queue has it.
    var aside: [Int64] = []
    var requests: [(at: Duration, ids: [Int64])] = []
    var taken: [Int64] = []
    var takenAt: [Duration] = []
    /// How often one was asked for that does not wait any more.
    var vainRequests = 0

    init(_ count: Int64) {
      waiting = Array(1...count)
      driver.queue(waiting: waiting.count)
    }

    /// Lets the transfers of some seconds happen.
    mutating func run(
      _ seconds: Int, accepts: (_ ids: [Int64], _ at: Duration) -> BackendError?
    ) {
      for _ in 0..<seconds * 10 {
        driver.pass(.milliseconds(100))
        driver.send(.timePassed)
        // What is done leads to more.
        for _ in 0..<50 {
          let actions = driver.actions
          driver.actions = []
          guard !actions.isEmpty else { break }
          for action in actions { take(action, accepts) }
        }
      }
    }

    /// How many were taken in the 5 s after the first.
    func takenAtOnce() throws -> Int {
      let first = try #require(takenAt.first)
      return takenAt.count { $0 - first <= .seconds(5) }
    }

    private mutating func take(
      _ action: FinderAction, _ accepts: (_ ids: [Int64], _ at: Duration) -> BackendError?
    ) {
      switch action {
      case .upload(let limit, let without, let alone):
        let ids: [Int64]
        if let alone {
          ids = waiting.contains(alone) ? [alone] : []
        } else {
          ids = Array(waiting.filter { !without.contains($0) }.prefix(limit))
        }
        guard !ids.isEmpty else {
          if waiting.isEmpty {
            driver.send(.uploaded(requests: [], progress: 1, waiting: 0))
          } else {
            if alone != nil { vainRequests += 1 }
            driver.send(.nothingElseWaits(gone: alone))
          }
          return
        }
        requests.append((driver.moment.elapsed, ids))
        if let error = accepts(ids, driver.moment.elapsed) {
          driver.send(.uploadFailed(error, of: ids))
        } else {
          waiting.removeAll { ids.contains($0) }
          taken += ids
          takenAt += ids.map { _ in driver.moment.elapsed }
          driver.send(
            .uploaded(
              requests: [], progress: ids.count, gone: Set(ids), waiting: waiting.count))
        }
      case .setAside(let id, _):
        aside.append(id)
        waiting.removeAll { $0 == id }
        driver.send(.queued([:], waiting: waiting.count))
      default: break
      }
    }
  }

  /// 101 events, and a proxy that takes nothing for 8 s.
  @Test func aProxyThatTakesNothingForAWhileCostsNoEvent() {
    var world = World(101)
    let start = world.driver.moment.elapsed
    world.run(300) { _, now in now < start + .seconds(8) ? Self.tooLarge : nil }
    #expect(world.aside.isEmpty)
    #expect(world.taken.sorted() == Array(1...101))
    let during = world.requests.filter { $0.at < start + .seconds(8) }
    #expect(during.count <= 12, "\(during.count) requests")
  }

  @Test func aDayOfThatCostsNoEventEither() {
    var world = World(30)
    let start = world.driver.moment.elapsed
    world.run(6 * 3600) { _, now in now < start + .seconds(5 * 3600) ? Self.tooLarge : nil }
    #expect(world.aside.isEmpty)
    #expect(world.taken.count == 30)
    #expect(world.requests.count < 250, "\(world.requests.count) requests")
  }

  /// One that is really too large does not hold the others up, and goes after an hour.
  @Test func oneThatIsTooLargeIsSetAsideAfterAnHour() {
    var world = World(25)
    let start = world.driver.moment.elapsed
    world.run(120) { ids, _ in ids.contains(3) ? Self.tooLarge : nil }
    #expect(world.taken.count == 24)
    #expect(world.aside.isEmpty)
    world.run(3300) { ids, _ in ids.contains(3) ? Self.tooLarge : nil }
    #expect(world.aside.isEmpty)
    world.run(1800) { ids, _ in ids.contains(3) ? Self.tooLarge : nil }
    #expect(world.aside == [3])
    let alone = world.requests.filter { $0.ids == [3] }
    #expect(alone.count >= 3)
    #expect(alone.count < 12, "\(alone.count) requests")
    #expect(alone.last.map { $0.at - start >= .seconds(3600) } == true)
  }

  @Test func newEventsGoWhileOneIsTooLarge() {
    var world = World(1)
    world.run(60) { ids, _ in ids.contains(1) ? Self.tooLarge : nil }
    for id in Int64(2)...20 {
      world.waiting.append(id)
      world.driver.queue(waiting: world.waiting.count)
      world.run(30) { ids, _ in ids.contains(1) ? Self.tooLarge : nil }
    }
    world.run(600) { ids, _ in ids.contains(1) ? Self.tooLarge : nil }
    #expect(Set(world.taken) == Set(2...20))
    #expect(world.waiting == [1])
  }

  @Test func otherAnswersMakeNoBatchSmaller() {
    for status in [301, 307, 401, 403, 404, 408, 429, 500, 502, 503] {
      var driver = Driver()
      driver.queue(waiting: 10)
      driver.send(.uploadFailed(BackendError(.failed, "no", status: status), of: Array(1...10)))
      #expect(Driver.uploads(in: driver.tick(2)) == [10], "\(status)")
    }
  }

  /// A confirmation that nobody takes does not keep events from going.
  @Test func aConfirmationThatFailsLetsEventsPass() {
    var driver = Driver()
    driver.send(.restored(waiting: 20, hasConfirmations: true))
    let actions = driver.send(.confirmationFailed(BackendError(.notFound, "no", status: 404)))
    #expect(!actions.contains(.confirm))
    #expect(Driver.uploads(in: driver.tick(2)) == [10])
    let next = driver.send(.uploaded(requests: [], progress: 10, waiting: 10))
    #expect(next.contains(.confirm))
  }

  /// One that was refused by itself and then taken is done with: the others do not wait for it.
  @Test func oneThatWasTakenAfterAllHoldsNobodyUp() throws {
    var world = World(40)
    var isOver = false
    world.run(300) { ids, _ in
      if isOver { return nil }
      isOver = ids == [1]
      return Self.tooLarge
    }
    #expect(world.taken.sorted() == Array(1...40))
    #expect(world.vainRequests == 0)
    #expect(try world.takenAtOnce() > 30)
  }

  /// That one has left the queue says nothing of those that wait.
  @Test func oneThatHasLeftTheQueueHoldsNobodyUp() throws {
    var world = World(1)
    world.run(60) { _, _ in Self.tooLarge }
    world.waiting = Array(2...40)
    world.driver.queue(waiting: 39)
    world.run(300) { _, _ in nil }
    #expect(world.taken.sorted() == Array(2...40))
    #expect(world.vainRequests == 1)
    #expect(try world.takenAtOnce() > 29)
  }

  /// The end waits for those that wait behind one that was refused by itself, and then was taken or has left.
  @Test(
    "finder --once does not end without those behind one that was refused alone, then taken",
    arguments: [false, true])
  func theEndBringsAwayAllBehindOneThatWasRefusedAlone(hasLeft: Bool) {
    var world = World(36)
    world.run(120) { _, _ in Self.tooLarge }
    #expect(world.requests.contains { $0.ids == [1] })
    #expect(world.taken.isEmpty)
    if hasLeft { world.waiting.removeFirst() }
    world.driver.send(.stop)
    #expect(!world.driver.machine.isFinished)
    world.run(9) { _, _ in nil }
    #expect(world.taken.sorted() == Array(Int64(hasLeft ? 2 : 1)...36))
    #expect(world.vainRequests == (hasLeft ? 1 : 0))
    #expect(world.driver.machine.isFinished)
  }
}
