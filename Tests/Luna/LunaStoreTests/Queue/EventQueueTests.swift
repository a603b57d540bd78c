import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

/// What every queue has to do.
struct EventQueueTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory, sqlite
  }

  private let place: Workplace

  init() throws { place = try Workplace() }

  private func queue(_ kind: Kind, limit: Int = 1000) throws -> any EventQueue {
    switch kind {
    case .memory: InMemoryEventQueue(limit: limit)
    case .sqlite: try SQLiteEventQueue(in: place.state, fileName: "queue.data", limit: limit)
    }
  }

  private func numbers(_ queue: any EventQueue, _ limit: Int = 1000) async throws -> [UInt64] {
    try await queue.next(limit).map { Samples.number($0.event) }
  }

  @Test(arguments: Kind.allCases) func givesTheOldestFirst(_ kind: Kind) async throws {
    let queue = try queue(kind)
    try await queue.append([Samples.event(1), Samples.event(2)], at: Samples.now)
    try await queue.append([Samples.event(3)], at: Samples.now)
    #expect(try await numbers(queue, 2) == [1, 2])
    // Nothing has left yet.
    #expect(try await numbers(queue) == [1, 2, 3])
    #expect(await queue.waiting == 3)
  }

  @Test(arguments: Kind.allCases) func keepsEverythingOfAnEvent(_ kind: Kind) async throws {
    let queue = try queue(kind)
    var event = Samples.event(7)
    event = TrackerEvent(
      heid: HEID(high: .max, low: 1 << 63), encodedLocation: event.encodedLocation,
      esf: ESF(value: 0xFFFFFF), day: Day(number: -1), debug: ["latitude": .real(1.5)])
    try await queue.append([event], at: Samples.now)
    let queued = try #require(try await queue.next(1).first)
    #expect(queued.event == event)
    #expect(queued.queuedAt == Samples.now)
  }

  @Test(arguments: Kind.allCases) func settles(_ kind: Kind) async throws {
    let queue = try queue(kind)
    try await queue.append((1...5).map(Samples.event), at: Samples.now)
    let events = try await queue.next(3)
    try await queue.settle(
      UploadSettlement(
        stored: [events[0].id], refused: [events[1].id: "dayExpired"], postponed: [events[2].id]))
    // The postponed one goes to the end.
    #expect(try await numbers(queue) == [4, 5, 3])
    #expect(await queue.waiting == 3)
    let status = try await queue.status(at: Samples.now)
    #expect(status.setAside == ["dayExpired": 1])
    #expect(status.dropped.isEmpty)
    // Again, as after a reply that came twice.
    try await queue.settle(UploadSettlement(stored: [events[0].id]))
    #expect(await queue.waiting == 3)
  }

  @Test(arguments: Kind.allCases) func dropsTheOldestWhenItIsFull(_ kind: Kind) async throws {
    let queue = try queue(kind, limit: 5)
    try await queue.append((1...5).map(Samples.event), at: Samples.now)
    let first = try await queue.next(2)
    try await queue.settle(UploadSettlement(refused: [first[1].id: "x"]))
    // What was set aside goes before anything that can still be sent.
    try await queue.append([Samples.event(6)], at: Samples.now)
    #expect(try await numbers(queue) == [1, 3, 4, 5, 6])
    #expect(try await queue.status(at: Samples.now).setAside.isEmpty)
    try await queue.append([Samples.event(7), Samples.event(8)], at: Samples.now)
    #expect(try await numbers(queue) == [4, 5, 6, 7, 8])
    let status = try await queue.status(at: Samples.now)
    #expect(status.dropped == [DropReason.queueFull: 3])
    #expect(status.waiting == 5)
    #expect(status.limit == 5)
    // More than fit at all: the last ones.
    try await queue.append((11...18).map(Samples.event), at: Samples.now)
    #expect(try await numbers(queue) == [14, 15, 16, 17, 18])
    #expect(try await queue.status(at: Samples.now).dropped == [DropReason.queueFull: 11])
  }

  @Test(arguments: Kind.allCases) func keepsConfirmations(_ kind: Kind) async throws {
    let queue = try queue(kind)
    #expect(try await queue.nextConfirmation() == nil)
    try await queue.append(Samples.confirmation("a"), at: Samples.now)
    try await queue.append(Samples.confirmation("b"), at: Samples.now)
    let first = try #require(try await queue.nextConfirmation())
    #expect(first.confirmation == Samples.confirmation("a"))
    #expect(try await queue.nextConfirmation() == first)
    #expect(try await queue.status(at: Samples.now).confirmations == 2)
    try await queue.settleConfirmation(first.id, refusal: nil)
    let second = try #require(try await queue.nextConfirmation())
    #expect(second.confirmation.requestID == "b")
    try await queue.settleConfirmation(second.id, refusal: "confirmation.notFound")
    #expect(try await queue.nextConfirmation() == nil)
    #expect(
      try await queue.status(at: Samples.now).dropped == ["confirmation.notFound": 1])
  }

  @Test(arguments: Kind.allCases) func countsLosses(_ kind: Kind) async throws {
    let queue = try queue(kind)
    await queue.count(dropped: "noLocation", by: 2, at: Samples.now)
    await queue.count(dropped: "noLocation", by: 3, at: Samples.now)
    await queue.count(dropped: "crowd", by: 1, at: Samples.now)
    #expect(
      try await queue.status(at: Samples.now).dropped == ["noLocation": 5, "crowd": 1])
  }

  /// A capture may tell of any number.
  @Test(arguments: Kind.allCases)
  func countsAsManyLossesAsANumberCanSay(_ kind: Kind) async throws {
    var queue = try queue(kind)
    for _ in 0..<2 {
      await queue.count(dropped: "kernel", by: .max, at: Samples.now)
      #expect(try await queue.status(at: Samples.now).dropped == ["kernel": .max])
      guard kind == .sqlite else { continue }
      // What comes now is added to what is on the disk.
      await queue.close()
      queue = try self.queue(kind)
    }
  }

  @Test(arguments: Kind.allCases) func tellsSinceWhenTheOldestWaits(_ kind: Kind) async throws {
    let queue = try queue(kind)
    #expect(try await queue.status(at: Samples.now).oldest == nil)
    let earlier = Timestamp(microseconds: Samples.now.microseconds - 5)
    try await queue.append([Samples.event(1)], at: Samples.now)
    // The clock was set back meanwhile; the order stays.
    try await queue.append([Samples.event(2)], at: earlier)
    #expect(try await queue.status(at: Samples.now).oldest == earlier)
    #expect(try await numbers(queue) == [1, 2])
  }
}
