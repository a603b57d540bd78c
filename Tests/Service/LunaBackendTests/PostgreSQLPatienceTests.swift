import Dispatch
import HTTPServer
import LunaCore
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaBackend

/// Whoever waits for PostgreSQL is told in time that they wait in vain.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(10))) struct PostgreSQLPatienceTests {
  /// What somebody is told who waits for a moment only.
  private func told(
    _ body: @escaping @Sendable () async throws(StorageError) -> Void
  ) async -> StorageError.Kind? {
    await StoragePatience.within(.milliseconds(100)) { () async -> StorageError.Kind? in
      do throws(StorageError) {
        try await body()
        return nil
      } catch {
        return error.kind
      }
    }
  }

  @Test func nobodyWaitsForATurnForLong() async throws {
    let server = try #require(PostgreSQLServer.shared)
    // One is for owners, one for all else.
    let storage = try PostgreSQLStorage(try server.newDatabase(), connections: 2)
    try await storage.prepare()
    let events = try Samples.identified([Samples.event(1)])
    let gate = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    async let busy: Void = storage.pool.run { _ throws(StorageError) in
      beginning.yield()
      gate.wait()
    }
    for await _ in begun { break }
    // The connection has something to do until these have been told.
    let health = await told { () async throws(StorageError) in try await storage.health() }
    let upload = await told { () async throws(StorageError) in
      _ = try await storage.ingest(events, at: Samples.now)
    }
    #expect(health == .unavailable)
    #expect(upload == .unavailable)
    gate.signal()
    try await busy
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
  }

  @Test func whatTakesTooLongIsBrokenOff() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified([Samples.event(1)])
    let (holder, watcher) = (PostgreSQLConnection(settings), PostgreSQLConnection(settings))
    try holder.execute("BEGIN; LOCK TABLE luna.probe, luna.events")
    let health = await told { () async throws(StorageError) in try await storage.health() }
    let upload = await told { () async throws(StorageError) in
      _ = try await storage.ingest(events, at: Samples.now)
    }
    let query = await told { () async throws(StorageError) in
      _ = try await storage.events(
        heids: events.map(\.event.heid), days: Samples.today...Samples.today, after: nil, limit: 9)
    }
    #expect(health == .unavailable)
    #expect(upload == .unavailable)
    #expect(query == .unavailable)
    // Nothing of it goes on in the server.
    try await waitUntil {
      try watcher.run(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
      ).integer(0, 0) == 0
    }
    try holder.execute("ROLLBACK")
    try await storage.health()
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
  }

  /// As machines that hang.
  @Test func nobodyWaitsForServersThatSayNothing() throws {
    let server = try #require(PostgreSQLServer.shared)
    let silent = try (0..<3).map { _ in
      try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0))
    }
    let ports = silent.map { String($0.address.port) }.joined(separator: ",")
    let lost = PostgreSQLConnection(
      "host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(ports) user=luna dbname=luna")
    for _ in 0..<2 {
      lost.end = ContinuousClock.now + .milliseconds(100)
      #expect(throws: StorageError.late) { try lost.execute("SELECT 1") }
    }
    for socket in silent { socket.close() }
    // What one has not waited for is there for the next one.
    let connection = PostgreSQLConnection(try server.newDatabase())
    connection.end = ContinuousClock.now
    _ = try? connection.execute("SELECT 1")
    connection.end = nil
    try connection.execute("SELECT 1")
  }

  /// A commit that has written nothing waits for no standby. So whoever is told again of what somebody else has
  /// kept has written, too.
  @Test func whatIsAcknowledgedAgainIsLocked() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let admin = PostgreSQLConnection(settings)
    func lock(_ table: String) throws -> String {
      try admin.run("SELECT xmax::text FROM luna.\(table)").text(0, 0)
    }
    let events = try Samples.identified([Samples.event(1)])
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
    let event = try lock("events")
    #expect(try await storage.ingest(events, at: Samples.now) == [.known])
    #expect(try lock("events") != event)

    let made = try Samples.command([Samples.package(1)])
    try await storage.submit(made, openLimit: 10)
    _ = try await storage.lease([made.id], to: "a", at: Samples.now, until: Samples.later(150))
    let confirmation = CommandConfirmation(
      requestID: made.id.description, heid: Samples.heid(1), outcome: .done,
      receipt: [UInt8](repeating: 1, count: 17), detail: nil)
    var locks: [String] = []
    for _ in 0..<2 {
      let result = try await storage.confirm(
        confirmation, id: made.id, by: "a", at: Samples.now)
      #expect(result == .noted)
      locks.append(try lock("commands"))
    }
    #expect(locks[0] != locks[1])

    let token = try AccessToken(.owner).record(name: "a", at: Samples.now)
    try await storage.add(token)
    var notes: [String] = []
    for isFirst in [true, false] {
      #expect(try await storage.revoke(token.id, at: Samples.now) == isFirst)
      let newest = try admin.run(
        "SELECT xmin::text FROM luna.outcomes ORDER BY xmin::text::int8 DESC LIMIT 1")
      notes.append(newest.text(0, 0))
    }
    #expect(notes[0] != notes[1])
  }
}
