import HTTPServer
import LunaProtocol
import Testing
import WebAccess

@testable import LunaBackend

/// What several processes on one storage count together, and what each of them allows.
@Suite(.timeLimit(.minutes(10))) struct StorageCountTests {
  private let one = Samples.heid(1)
  private let two = Samples.heid(2)
  private let three = Samples.heid(3)

  @Test(arguments: StorageKind.available)
  func countsAreOfAllProcesses(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let first = try await storage.share([one: 3, two: 1], inHour: 5)
    guard storage.isShared else {
      #expect(first.isEmpty)
      return
    }
    #expect(first == [one: 3, two: 1])
    let other = try place.open()
    #expect(try await other.share([one: 4, three: 0], inHour: 5) == [one: 7, three: 0])
    // What is given back counts no more.
    #expect(try await storage.share([one: -2], inHour: 5) == [one: 5])
    // Another hour begins with nothing, and the one before is forgotten.
    #expect(try await storage.share([one: 1], inHour: 6) == [one: 1])
    #expect(try await other.share([one: 0], inHour: 5) == [one: 0])
  }

  @Test(.needsPostgreSQL) func manyAtTheSameTimeAreCountedOnce() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase(), connections: 8)
    try await storage.prepare()
    let heids = (0..<500).map(Samples.heid)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        // In different orders.
        let additions = Dictionary(
          uniqueKeysWithValues: (0..<500).map { (heids[($0 * 7 + number) % 500], 1) })
        group.addTask { _ = try await storage.share(additions, inHour: 5) }
      }
      try await group.waitForAll()
    }
    let sums = try await storage.share(
      Dictionary(uniqueKeysWithValues: heids.map { ($0, 0) }), inHour: 5)
    #expect(sums.count == 500 && sums.values.allSatisfy { $0 == 20 })
  }

  private func made(
    _ storage: any Storage, _ change: (inout BackendConfiguration) -> Void
  ) -> API {
    var configuration = BackendConfiguration()
    change(&configuration)
    return API(
      configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
  }

  @Test(.needsPostgreSQL) func eachKnowsWhatTheOtherTook() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(settings) }
    try await storages[0].prepare()
    let apis = storages.map { storage in made(storage) { $0.eventsPerHeidAndHour = 20 } }
    for _ in 0..<18 { #expect(apis[0].heids.take(one, at: 0)) }
    for _ in 0..<3 { #expect(apis[1].heids.take(one, at: 0)) }
    for api in apis { await api.shareCounts() }
    #expect(!apis[1].heids.take(one, at: 0))
    #expect(apis[1].heids.take(two, at: 0))
    // The first one has heard nothing yet.
    #expect(apis[0].heids.take(one, at: 0))
    await apis[0].shareCounts()
    #expect(!apis[0].heids.take(one, at: 0))
  }

  @Test func aProcessOfTwoAllowsHalf() async throws {
    let place = try StoragePlace(.sqlite)
    let api = made(try await place.prepared()) {
      $0.processes = 2
      ($0.eventsPerSecond, $0.requestsPerSecond) = (10, 10)
    }
    let address = ClientAddress([192, 0, 2, 1])
    let holders: [(RateLimiter<String>, Int)] = [
      (api.events, 100), (api.searches, 10), (api.sentPictures, 15), (api.pictures, 4),
      (api.allOffers, 50), (api.auditedFailures, 30),
    ]
    let clients: [(RateLimiter<ClientAddress>, Int)] = [
      (api.signIns, 5), (api.deviceCodes, 5), (api.wrongCodes, 5), (api.offers, 2),
    ]
    let now = ContinuousClock.now
    for (limiter, count) in holders {
      for _ in 0..<count { #expect(limiter.take(1, for: "a", at: now) == nil) }
      #expect(limiter.take(1, for: "a", at: now) != nil)
    }
    for (limiter, count) in clients {
      for _ in 0..<count { #expect(limiter.take(1, for: address, at: now) == nil) }
      #expect(limiter.take(1, for: address, at: now) != nil)
    }
  }
}
