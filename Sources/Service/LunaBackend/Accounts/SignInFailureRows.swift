import Bluetooth
import WebAccess

/// Wrong passwords and codes in the storage. Names are kept as digests: somebody may have typed a password
/// where a name belongs.
struct SignInFailureRows: SignInFailureStore {
  let storage: any Storage
  /// The time.
  let now: @Sendable () -> Timestamp
  /// More are not counted.
  private static let most: Int64 = 1_000_000

  func failures(of name: String) async throws -> SignInFailures? {
    let key = try SignInFailureRows.key(name)
    let row = try await storage.lookUp { work throws(StorageError) in
      try work.row("SELECT count, failed, turn FROM luna.failures WHERE name = $1", [key])
    }
    guard let row else { return nil }
    let time = now().microseconds
    // A damaged row has any numbers.
    let (count, failed, turn) = (
      Int(max(0, min(row.integer(0), SignInFailureRows.most))), max(0, row.integer(1)),
      max(0, row.integer(2))
    )
    let age = Duration.microseconds(max(0, time - failed))
    guard age <= SignInFailures.lifetime else { return nil }
    return SignInFailures(
      count: count, age: age, turn: .microseconds(turn - time))
  }

  func wait(for name: String, _ duration: Duration) async throws {
    let (key, turn) = (
      try SignInFailureRows.key(name), now().advanced(by: duration).microseconds
    )
    _ = try await storage.transaction(isSerial: false) { work throws(StorageError) in
      try work.change(
        "UPDATE luna.failures SET turn = $2 WHERE name = $1 AND turn < $2", [key, .integer(turn)])
    }
  }

  func add(to name: String) async throws {
    let (key, time) = (try SignInFailureRows.key(name), now())
    let end = time.advanced(by: .zero - SignInFailures.lifetime).microseconds
    _ = try await storage.transaction { work throws(StorageError) in
      // Whoever makes up names fills the table for a quarter of an hour, and no longer.
      try work.change("DELETE FROM luna.failures WHERE failed < $1", [.integer(end)])
      let known = try work.row("SELECT count FROM luna.failures WHERE name = $1", [key])
      let count = max(0, min(known?.integer(0) ?? 0, SignInFailureRows.most))
      return try work.change(
        """
        INSERT INTO luna.failures(name, count, failed, turn) VALUES($1, $2, $3, $3)
        ON CONFLICT(name) DO UPDATE SET count = excluded.count, failed = excluded.failed
        """, [key, .integer(count + 1), .integer(time.microseconds)])
    }
  }

  func forget(_ name: String) async throws {
    let key = try SignInFailureRows.key(name)
    _ = try await storage.transaction(isSerial: false) { work throws(StorageError) in
      try work.change("DELETE FROM luna.failures WHERE name = $1", [key])
    }
  }

  private static func key(_ name: String) throws(StorageError) -> StorageValue {
    .bytes(try StorageError.unless(SecretDigest.of(name)))
  }
}
