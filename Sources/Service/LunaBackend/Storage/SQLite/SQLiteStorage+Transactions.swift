import SQLite

extension SQLiteStorage {
  /// Does all of something, or nothing; with what else waits, in one commit.
  public func transaction<Output: Sendable>(
    isSerial: Bool,
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    // There is one writer: everything is serial.
    try await writer.write { connection throws(StorageError) in
      try body(SQLiteTransaction(connection: connection))
    }
  }

  /// Reads one state, on a thread for that.
  public func read<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await readers.read { connection throws(StorageError) in
      try connection.database.snapshot { () throws(StorageError) in
        try body(SQLiteTransaction(connection: connection))
      }
    }
  }

  /// Looks up a few rows, where it is called.
  public func lookUp<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try readers.lookUp { connection throws(StorageError) in
      try body(SQLiteTransaction(connection: connection))
    }
  }

  /// What SQLite says of it to the connection that writes.
  public func foreignWrites() async throws(StorageError) -> Int64? {
    try await writer.write { connection throws(StorageError) in
      try connection.database.integer("PRAGMA data_version")
    }
  }
}
