import Bluetooth
import LunaCore
import SQLite
import Testing

@testable import LunaBackend

/// What every storage does with credentials, gateways and its own schema.
@Suite(.timeLimit(.minutes(10))) struct StorageAccessTests {
  private func record(_ role: TokenRole = .gateway, _ name: String = "a") throws -> TokenRecord {
    try AccessToken(role).record(name: name, at: Samples.now)
  }

  @Test(arguments: StorageKind.available)
  func keepsAtMostTwoLiveTokensOfAName(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let (first, second, third) = (try record(), try record(), try record())
    try await storage.add(first)
    try await storage.add(second)
    await #expect {
      try await storage.add(third)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    try await storage.add(try record(.owner))
    try await storage.add(try record(.gateway, "b"))
    #expect(try await storage.revoke(first.id, at: Samples.later(1)))
    #expect(try await storage.revoke(first.id, at: Samples.later(2)) == false)
    #expect(try await storage.token(first.id)?.revokedAt == Samples.later(1))
    try await storage.add(third)
    #expect(try await storage.token(third.id) == third)
    #expect(try await storage.token("000000000000") == nil)
    #expect(try await storage.tokens().count == 5)
  }

  @Test(arguments: StorageKind.available)
  func redeemsACodeOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "kitchen", until: Samples.later(100)))
    let digest = try EnrolmentCode(code.text.uppercased())!.digest()
    let make: @Sendable (String) throws(StorageError) -> TokenRecord = {
      name throws(StorageError) in
      try AccessToken(.gateway).record(name: name, at: Samples.now)
    }
    #expect(try await storage.redeem(digest, at: Samples.later(100), token: make) == nil)
    let tokens = try await withThrowingTaskGroup(of: TokenRecord?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await storage.redeem(digest, at: Samples.now, token: make) }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(tokens.map(\.name) == ["kitchen"])
    #expect(try await storage.token(tokens[0].id) == tokens[0])
  }

  @Test(arguments: StorageKind.available)
  func aCodeThatCannotBeUsedStays(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "a", until: Samples.later(100)))
    let digest = try code.digest()
    let full = try [record(), record()]
    for token in full { try await storage.add(token) }
    let make: @Sendable (String) throws(StorageError) -> TokenRecord = {
      name throws(StorageError) in
      try AccessToken(.gateway).record(name: name, at: Samples.now)
    }
    await #expect {
      try await storage.redeem(digest, at: Samples.now, token: make)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    _ = try await storage.revoke(full[0].id, at: Samples.now)
    #expect(try await storage.redeem(digest, at: Samples.now, token: make)?.name == "a")
  }

  @Test(arguments: StorageKind.available)
  func remembersWhatGatewaysTold(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let report = GatewayReport(version: "1.2", uptime: 5, queueDepth: 7)
    try await storage.touch("b", report: report, at: Samples.now)
    try await storage.touch("b", report: nil, at: Samples.later(60))
    try await storage.touch("a", report: nil, at: Samples.now)
    #expect(
      try await storage.gateways() == [
        GatewayRecord(name: "a", seenAt: Samples.now, report: nil),
        GatewayRecord(name: "b", seenAt: Samples.later(60), report: report),
      ])
  }

  @Test(arguments: StorageKind.available)
  func migratesTwiceAndFromTheVersionBefore(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let events = try Samples.identified([Samples.event(1)])
    switch place.location {
    case .sqlite(let path):
      // Makes the file.
      _ = try SQLiteStorage(path: path)
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try SQLiteSchema.migrate(connection.database, upTo: SQLiteSchema.steps.count - 1)
    case .postgreSQL(let settings):
      #if PostgreSQL
        try PostgreSQLSchema.migrate(
          PostgreSQLConnection(settings), upTo: PostgreSQLSchema.steps.count - 1)
      #else
        Issue.record("\(settings)")
      #endif
    }
    let storage = try place.open()
    #expect(try await storage.ingest(events, at: Samples.now) == [true])
    await #expect {
      try await storage.health()
    } throws: { ($0 as? StorageError)?.kind == .outdated }
    try await storage.migrate()
    try await storage.migrate()
    try await storage.health()
    #expect(try await storage.ingest(events, at: Samples.now) == [false])
    try await storage.add(try record())
  }

  @Test(arguments: StorageKind.available)
  func refusesANewerVersion(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    switch place.location {
    case .sqlite(let path):
      try SQLiteConnection(path: path, isReadOnly: false).database.execute(
        "PRAGMA user_version = 99")
      #expect {
        _ = try place.open()
      } throws: { ($0 as? StorageError)?.kind == .foreign }
    case .postgreSQL(let settings):
      #if PostgreSQL
        try PostgreSQLConnection(settings).execute("UPDATE luna.schema SET version = 99")
      #else
        Issue.record("\(settings)")
      #endif
    }
    await #expect {
      try await storage.migrate()
    } throws: { ($0 as? StorageError)?.kind == .foreign }
  }

  @Test func backsUpWhileItIsWritten() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try SQLiteStorage(path: place.copy + ".source")
    try await storage.migrate()
    let events = try Samples.identified((0..<500).map { Samples.event($0) })
    _ = try await storage.ingest(Array(events[..<100]), at: Samples.now)
    async let more = storage.ingest(Array(events[100...]), at: Samples.now)
    try await storage.backup(to: place.copy)
    _ = try await more
    await #expect {
      try await storage.backup(to: place.copy)
    } throws: { ($0 as? StorageError)?.kind == .exists }
    try await storage.backup(to: place.copy, replacing: true)
    // Not even then over itself.
    await #expect {
      try await storage.backup(to: storage.path, replacing: true)
    } throws: { ($0 as? StorageError)?.kind == .exists }
    let copy = try SQLiteStorage(path: place.copy)
    try await copy.health()
    #expect(try await copy.ingest(Array(events[..<100]), at: Samples.now).allSatisfy { !$0 })
  }
}
