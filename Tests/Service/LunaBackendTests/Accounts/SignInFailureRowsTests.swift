import Bluetooth
import Synchronization
import Testing
import WebAccess

@testable import LunaBackend

/// Wrong tries that several servers count together, in every storage.
@Suite(.timeLimit(.minutes(10))) struct SignInFailureRowsTests {
  @Test(arguments: StorageKind.available)
  func areCountedByAllServers(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let time = Mutex(Samples.now)
    let now: @Sendable () -> Timestamp = { time.withLock { $0 } }
    let servers = [
      SignInFailureRows(storage: storage, now: now), SignInFailureRows(storage: storage, now: now),
    ]
    #expect(try await servers[0].failures(of: "ada") == nil)
    try await servers[0].add(to: "ada")
    try await servers[0].add(to: "ada")
    try await servers[1].add(to: "ada")
    try await servers[1].add(to: "bob")
    time.withLock { $0 = Samples.later(10) }
    for server in servers {
      let known = try await server.failures(of: "ada")
      #expect(known == SignInFailures(count: 3, age: .seconds(10), turn: .seconds(-10)))
      #expect(try await server.failures(of: "bob")?.count == 1)
    }
    // Who waits at one of them is waited for at the other; a shorter wait changes nothing.
    try await servers[0].wait(for: "ada", .seconds(8))
    try await servers[1].wait(for: "ada", .seconds(2))
    #expect(try await servers[1].failures(of: "ada")?.turn == .seconds(8))
    try await servers[1].forget("ada")
    #expect(try await servers[0].failures(of: "ada") == nil)
    #expect(try await servers[0].failures(of: "bob")?.count == 1)
  }

  @Test(arguments: StorageKind.available, [Int64.min, .max])
  func areNoCrashWhereARowIsDamaged(kind: StorageKind, number: Int64) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let rows = SignInFailureRows(storage: storage, now: { Samples.now })
    try await rows.add(to: "ada")
    _ = try await storage.transaction { work throws(StorageError) in
      try work.change(
        "UPDATE luna.failures SET count = $1, turn = $1, failed = $2",
        [.integer(number), .integer(Samples.now.microseconds)])
    }
    let known = try #require(try await rows.failures(of: "ada"))
    #expect(known.count >= 0)
    try await rows.add(to: "ada")
    let next = try #require(try await rows.failures(of: "ada"))
    #expect(next.count == known.count + 1 || next.count == known.count)
  }

  @Test(arguments: StorageKind.available)
  func areForgottenAfterAQuarterOfAnHour(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let time = Mutex(Samples.now)
    let rows = SignInFailureRows(storage: storage, now: { time.withLock { $0 } })
    try await rows.add(to: "ada")
    time.withLock { $0 = Samples.later(900) }
    #expect(try await rows.failures(of: "ada")?.count == 1)
    time.withLock { $0 = Samples.later(901) }
    #expect(try await rows.failures(of: "ada") == nil)
    // The next one begins anew, and takes what is over away.
    try await rows.add(to: "bob")
    let count = try await storage.lookUp { work throws(StorageError) in
      try work.row("SELECT count(*) FROM luna.failures")?.integer(0)
    }
    #expect(count == 1)
    try await rows.add(to: "ada")
    #expect(try await rows.failures(of: "ada")?.count == 1)
  }
}
