import SQLite

/// A connection and the statements that were compiled on it. Its owner sees to it that one thread at
/// a time uses it, which the compiler cannot check.
final class SQLiteConnection: @unchecked Sendable {
  let database: Database<StorageError>
  private var statements: [String: CachedStatement] = [:]

  /// A class around a value that cannot be copied, so that a dictionary can hold it.
  final class CachedStatement {
    let statement: Statement<StorageError>
    init(_ statement: consuming Statement<StorageError>) { self.statement = statement }
  }

  init(at place: SQLitePlace, isReadOnly: Bool) throws(StorageError) {
    database = try Database(
      at: place.file, patience: .seconds(10), isReadOnly: isReadOnly, watch: place.watch)
    if !place.isServing { database.keepLog(true) }
  }

  /// Runs with a statement that is compiled once.
  func with<Result>(
    _ sql: String, _ body: (borrowing Statement<StorageError>) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try with(sql, as: { $0 }, body)
  }

  /// Runs with a statement that other databases understand too.
  func withPortable<Result>(
    _ sql: String, _ body: (borrowing Statement<StorageError>) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try with(sql, as: PortableSQL.sqlite, body)
  }

  private func with<Result>(
    _ sql: String, as form: (String) -> String,
    _ body: (borrowing Statement<StorageError>) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let cached: CachedStatement
    if let known = statements[sql] {
      cached = known
    } else {
      cached = CachedStatement(try database.prepare(form(sql)))
      statements[sql] = cached
    }
    // A statement in the middle of its work would keep a transaction open.
    defer { cached.statement.reset() }
    return try body(cached.statement)
  }
}
