extension PostgreSQLStorage {
  /// Does all of something, or nothing, and once; again when others were in the way.
  public func transaction<Output: Sendable>(
    isSerial: Bool,
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await pool.run(isSerial ? .serial : .quick) { connection throws(StorageError) in
      try connection.once { () throws(StorageError) in
        // Whoever has it sees what all before have committed: each statement looks anew.
        if isSerial { try PostgreSQLStorage.lock("serial", "", connection) }
        return try body(PostgreSQLTransaction(connection: connection))
      }
    }
  }

  /// Reads one state.
  public func read<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await pool.run(.long) { connection throws(StorageError) in
      try connection.transaction(.oneState) { () throws(StorageError) in
        try body(PostgreSQLTransaction(connection: connection))
      }
    }
  }

  /// Looks up a few rows.
  public func lookUp<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await pool.run { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        try body(PostgreSQLTransaction(connection: connection))
      }
    }
  }

  /// Keeps all others, in whatever process, from the same until the transaction ends: what is counted after this
  /// stays so until then. A row and no number of a lock, as it holds wherever the database is.
  static func lock(
    _ role: String, _ name: String, _ connection: PostgreSQLConnection
  ) throws(StorageError) {
    // A row that is there is locked, and not written.
    _ = try connection.run(
      """
      INSERT INTO luna.holders AS h(role, name) VALUES($1, $2)
      ON CONFLICT(role, name) DO UPDATE SET name = h.name WHERE false
      """, [.text(role), .text(name)])
  }

  /// Others may have written at any time.
  public func foreignWrites() async throws(StorageError) -> Int64? { nil }
}
