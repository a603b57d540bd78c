import Testing

@testable import LunaBackend

/// What every storage does with statements of its users.
@Suite(.timeLimit(.minutes(10))) struct StorageTransactionTests {
  private static let insert = "INSERT INTO luna.settings(name, value, changed) VALUES($1, $2, $3)"
  private static let select =
    "SELECT name, value, changed, account FROM luna.settings ORDER BY name"

  @Test(arguments: StorageKind.available)
  func keepsAllOrNothing(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    try await storage.transaction { work throws(StorageError) in
      // `$2` before `$1`: parameters have numbers, not places.
      let changed = try work.change(
        "INSERT INTO luna.settings(value, name, changed) VALUES($2, $1, $3)",
        [.text("it's luna.settings"), .text("zwölf"), .integer(-1)])
      #expect(changed == 1)
    }
    await #expect {
      try await storage.transaction { work throws(StorageError) in
        try work.change(StorageTransactionTests.insert, [.text("b"), .text("2"), .integer(2)])
        throw StorageError(.limit, "no more")
      }
    } throws: { ($0 as? StorageError)?.kind == .limit }
    let rows = try await storage.read { work throws(StorageError) in
      try work.rows(StorageTransactionTests.select)
    }
    #expect(
      rows == [
        StorageRow([.text("it's luna.settings"), .text("zwölf"), .integer(-1), .null])
      ])
  }

  @Test(arguments: StorageKind.available)
  func oneThatFailsTakesNoOtherAlong(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let failures = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          do {
            try await storage.transaction { work throws(StorageError) in
              let name = number % 5 == 0 ? "same" : "n\(number)"
              try work.change(
                StorageTransactionTests.insert, [.text(name), .text(""), .integer(0)])
            }
            return false
          } catch { return true }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 3)
    let rows = try await storage.lookUp { work throws(StorageError) in
      try work.rows(StorageTransactionTests.select)
    }
    #expect(rows.count == 17)
  }

  @Test(arguments: StorageKind.available)
  func serialOnesDoNotMeet(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    _ = try await storage.transaction { work throws(StorageError) in
      try work.change(StorageTransactionTests.insert, [.text("count"), .text("0"), .integer(0)])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await storage.transaction { work throws(StorageError) in
            let row = try work.row("SELECT changed FROM luna.settings WHERE name = 'count'")
            let changed = try work.change(
              "UPDATE luna.settings SET changed = $1 WHERE name = 'count'",
              [.integer((row?.integer(0) ?? 0) + 1)])
            guard changed == 1 else { throw StorageError(.failed, "the row is gone") }
          }
        }
      }
      try await group.waitForAll()
    }
    let row = try await storage.lookUp { work throws(StorageError) in
      try work.row("SELECT changed FROM luna.settings WHERE name = $1", [.text("count")])
    }
    #expect(row?.integer(0) == 50)
  }

  @Test(arguments: StorageKind.available)
  func valuesComeBackAsTheyWent(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let bytes: [UInt8] = [0, 255, 39]
    // The same statement with other types, and with NULL first: none is taken for another.
    for (value, account) in [
      (StorageValue.null, StorageValue.text("a")), (.bytes(bytes), .null), (.bytes([]), .text("")),
      (.null, .null), (.bytes(bytes), .text("b")),
    ] {
      let row = try await storage.transaction { work throws(StorageError) in
        try work.change("DELETE FROM luna.links")
        try work.change("DELETE FROM luna.accounts")
        return try work.row(
          """
          INSERT INTO luna.accounts(name, role, created, totp, password) VALUES('x', 'viewer', 1, $1, $2)
          RETURNING totp, password, created
          """, [value, account])
      }
      #expect(row == StorageRow([value, account, .integer(1)]))
    }
    let numbers = try await storage.lookUp { work throws(StorageError) in
      var numbers: [StorageRow?] = []
      for value in [StorageValue.integer(3), .real(0.5), .integer(4), .null] {
        numbers.append(
          try work.row(
            "SELECT CAST($1 AS REAL), CAST(sum(x) AS INTEGER), 1.5 < 2 FROM (SELECT 7 AS x) AS t",
            [value]))
      }
      return numbers
    }
    #expect(
      numbers
        == [.real(3), .real(0.5), .real(4), .null].map {
          StorageRow([$0, .integer(7), .integer(1)])
        })
  }

  @Test(arguments: StorageKind.available)
  func oneReadSeesOneState(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let write: @Sendable (any StorageTransaction) throws(StorageError) -> Void = {
      work throws(StorageError) in
      try work.change(
        StorageTransactionTests.insert
          + " ON CONFLICT(name) DO UPDATE SET changed = settings.changed + 1",
        [.text("count"), .text(""), .integer(0)])
    }
    try await storage.transaction(write)
    let writing = Task {
      while !Task.isCancelled { try await storage.transaction(isSerial: false, write) }
    }
    for _ in 0..<20 {
      let isSame = try await storage.read { work throws(StorageError) in
        let first = try work.rows(StorageTransactionTests.select)
        for _ in 0..<5 {
          guard try work.rows(StorageTransactionTests.select) == first else { return false }
        }
        return true
      }
      #expect(isSame)
    }
    writing.cancel()
    try await writing.value
  }
}
