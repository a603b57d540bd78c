/// Statements that every storage understands, all of which are kept or none.
///
/// A statement is plain SQL in what SQLite and PostgreSQL have in common: tables are written
/// `luna.NAME`, parameters `$1`, types `INTEGER`, `REAL`, `TEXT` and `BLOB` (`INTEGER` has 64 bits in
/// both). `ON CONFLICT(…) DO UPDATE` and `RETURNING` are in both; sums want a
/// `CAST(sum(x) AS INTEGER)`, and a parameter that may be NULL, where nothing else tells its type, a
/// `CAST($1 AS TEXT)`. What a statement is stands in the program; what others wrote comes as a parameter.
public protocol StorageTransaction {
  /// The rows that a statement gives.
  func rows(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> [StorageRow]

  /// Runs a statement.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult func change(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> Int
}

extension StorageTransaction {
  /// The rows that a statement without parameters gives.
  public func rows(_ statement: String) throws(StorageError) -> [StorageRow] {
    try rows(statement, [])
  }

  /// The first row that a statement gives.
  public func row(
    _ statement: String, _ parameters: [StorageValue] = []
  ) throws(StorageError) -> StorageRow? {
    try rows(statement, parameters).first
  }

  /// Runs a statement without parameters.
  @discardableResult public func change(_ statement: String) throws(StorageError) -> Int {
    try change(statement, [])
  }
}
