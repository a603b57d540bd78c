import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import Testing

@testable import LunaBackend

/// What every storage does with events.
@Suite(.patient, .timeLimit(.minutes(10))) struct StorageEventTests {
  @Test(arguments: StorageKind.available)
  func findsDuplicatesInABatchAndAcross(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let (one, two) = (Samples.event(1), Samples.event(2))
    let batch = try Samples.identified([one, two, one])
    #expect(try await storage.ingest(batch, at: Samples.now) == [.new, .new, .known])
    let again = try Samples.identified([two, Samples.event(3), one])
    #expect(try await storage.ingest(again, at: Samples.later(5)) == [.known, .new, .known])
    // Any difference makes another event.
    let other = try Samples.identified([
      Samples.event(1, copy: 1), Samples.event(1, day: Samples.today + 1),
    ])
    #expect(try await storage.ingest(other, at: Samples.now) == [.new, .new])
    #expect(try await storage.ingest([], at: Samples.now).isEmpty)
  }

  @Test(arguments: StorageKind.available)
  func keepsWhatWasUploadedAndWhen(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let event = Samples.event(1, debug: ["latitude": .real(1.5), "name": "a \"b\""])
    let plain = Samples.event(1, copy: 9)
    _ = try await storage.ingest(try Samples.identified([event, plain]), at: Samples.now)
    _ = try await storage.ingest(try Samples.identified([event]), at: Samples.later(60))
    let found = try await storage.events(
      heids: [Samples.heid(1)], days: Samples.today...Samples.today, after: nil, limit: 10)
    #expect(Set(found.map(\.event.event)) == [event, plain])
    #expect(found.allSatisfy { $0.receivedAt == Samples.now })
  }

  @Test(arguments: StorageKind.available)
  func acceptsEachEventOnceFromEightAtOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let events = try Samples.identified(
      (0..<100).map { Samples.event($0 % 50, copy: UInt8($0 / 50)) })
    let answers = try await withThrowingTaskGroup(of: [IngestResult].self) { group in
      for number in 0..<8 {
        // Each in another order: rows must not be locked crosswise.
        let batch = number.isMultiple(of: 2) ? events : events.reversed()
        group.addTask {
          let results = try await storage.ingest(batch, at: Samples.now)
          return number.isMultiple(of: 2) ? results : results.reversed()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for index in events.indices {
      #expect(answers.count { $0[index] == .new } == 1, "event \(index)")
    }
  }

  @Test(arguments: StorageKind.available)
  func hasEventsAfterACrashBeforeTheReply(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let events = try Samples.identified((0..<20).map { Samples.event($0) })
    _ = try await storage.ingest(events, at: Samples.now)
    // Neither closed nor told: another process finds what was committed.
    let other = try place.open()
    let heids = (0..<20).map { Samples.heid($0) }
    let found = try await other.events(
      heids: heids, days: Samples.today...Samples.today, after: nil, limit: 100)
    #expect(Set(found.map(\.event)) == Set(events))
    #expect(try await other.ingest(events, at: Samples.now) == events.map { _ in .known })
    withExtendedLifetime(storage) {}
  }

  @Test(arguments: StorageKind.available)
  func pagesThroughAThousandIdentifiersOverAYear(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let heids = (0..<1024).map { Samples.heid($0) }
    // Fourteen days of the year, so that a partition for each day does not take minutes.
    let events = try Samples.identified(
      (0..<1024).flatMap { number in
        (0..<2).map {
          Samples.event(number, copy: $0, day: Samples.today + -Int32(number % 14) * 28)
        }
      })
    for number in 0..<14 {
      let day = Samples.today + -Int32(number) * 28
      try await storage.makeRoom(for: day...day)
    }
    let strangers = try Samples.identified((5000..<5200).map { Samples.event($0) })
    for batch in [events, strangers] {
      _ = try await storage.ingest(batch, at: Samples.now)
    }
    let year = Samples.today + -366...Samples.today
    var found: [FoundEvent] = []
    var position: EventPosition?
    repeat {
      let page = try await storage.events(heids: heids, days: year, after: position, limit: 301)
      found += page
      position = page.count < 301 ? nil : page.last.map { EventPosition($0.event) }
    } while position != nil
    let expected = events.sorted { left, right in
      let (a, b) = (EventPosition(left), EventPosition(right))
      return (a.heid.high, a.heid.low, a.day, a.id) < (b.heid.high, b.heid.low, b.day, b.id)
    }
    #expect(found.map(\.event) == expected)
    // Days are bounds on both sides.
    let day = Samples.today + -28
    let some = try await storage.events(heids: heids, days: day...day, after: nil, limit: 9999)
    #expect(Set(some.map(\.event)) == Set(events.filter { $0.event.day == day }))
  }

  @Test(arguments: StorageKind.available)
  func pagesInsideOfOneIdentifierAndDay(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let events = try Samples.identified((0..<25).map { Samples.event(7, copy: $0) })
    _ = try await storage.ingest(events, at: Samples.now)
    var ids: [EventID] = []
    var position: EventPosition?
    for _ in 0..<9 {
      let page = try await storage.events(
        heids: [Samples.heid(7), Samples.heid(7)], days: Samples.today...Samples.today,
        after: position, limit: 3)
      ids += page.map(\.event.id)
      position = page.last.flatMap { EventPosition(cursor: EventPosition($0.event).cursor) }
    }
    #expect(ids == events.map(\.id).sorted())
  }

  @Test(arguments: StorageKind.available)
  func dropsWhatIsTooOld(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let events = try Samples.identified(
      (0..<30).map { Samples.event($0, day: Samples.today + -Int32($0)) })
    try await storage.makeRoom(for: Samples.today + -29...Samples.today)
    _ = try await storage.ingest(events, at: Samples.now)
    _ = try await storage.prune(before: Samples.today + -9, at: Samples.now)
    let left = try await storage.events(
      heids: (0..<30).map { Samples.heid($0) }, days: Samples.today + -60...Samples.today,
      after: nil, limit: 100)
    #expect(Set(left.map(\.event)) == Set(events[...9]))
    // A day that was dropped can come again.
    try await storage.makeRoom(for: events[20].event.day...events[20].event.day)
    #expect(try await storage.ingest([events[20]], at: Samples.now) == [.new])
  }

  @Test(arguments: StorageKind.available)
  func refusesMoreThanMayWait(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    try place.spread()
    let storage: any Storage
    switch place.location {
    case .sqlite(let path): storage = try SQLiteStorage(path: path, capacity: 100)
    case .postgreSQL(let settings):
      storage = try PostgreSQLStorage(settings, capacity: 100)
    }
    try await storage.prepare()
    let events = try Samples.identified((0..<101).map { Samples.event($0) })
    await #expect {
      try await storage.ingest(events, at: Samples.now)
    } throws: { ($0 as? StorageError)?.kind == .overloaded }
    #expect(try await storage.ingest(Array(events[1...]), at: Samples.now).count == 100)
    #expect(storage.load == 0)
    try await storage.health()
  }
}
