extension PostgreSQLStorage {
  /// The number of the lock that makes transactions serial: "LunC".
  private static let turn: Int64 = 0x4C75_6E43

  /// Does all of something, or nothing; again when others were in the way.
  public func transaction<Output: Sendable>(
    isSerial: Bool,
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await pool.run { connection throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        // Whoever has it sees what all before have committed: each statement looks anew.
        if isSerial {
          try connection.execute("SELECT pg_advisory_xact_lock(\(PostgreSQLStorage.turn))")
        }
        return try body(PostgreSQLTransaction(connection: connection))
      }
    }
  }

  /// Reads one state.
  public func read<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await pool.run { connection throws(StorageError) in
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

  /// Others may have written at any time.
  public func foreignWrites() async throws(StorageError) -> Int64? { nil }
}
