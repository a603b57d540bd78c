import CSQLite

/// A compiled statement, finalised with this value.
public struct Statement<Failure: DatabaseError>: ~Copyable {
  private let handle: OpaquePointer
  private let path: String

  init(_ handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit { sqlite3_finalize(handle) }

  /// Sets a parameter to a number, or to NULL.
  public func bind(_ index: Int32, _ value: Int64?) {
    if let value {
      sqlite3_bind_int64(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Sets a parameter to a number with a fraction.
  public func bind(_ index: Int32, real value: Double) { sqlite3_bind_double(handle, index, value) }

  /// Sets a parameter to bytes.
  public func bind(_ index: Int32, _ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer {
      _ = csqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
    }
  }

  /// Sets a parameter to a text.
  public func bind(_ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        csqlite_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: false when there is none.
  public func step() throws(Failure) -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = SQLiteFailure(code, on: sqlite3_db_handle(handle), path: path)
      let doing = sqlite3_stmt_readonly(handle) != 0 ? "read" : "write"
      throw Failure(failure, path: path, doing: doing)
    }
  }

  /// Runs a statement without rows, and makes it ready for other parameters.
  public func run() throws(Failure) {
    // Also after an error: a statement in the middle of its work would block others.
    defer { reset() }
    _ = try step()
  }

  /// Makes the statement ready for other parameters.
  public func reset() { sqlite3_reset(handle) }

  /// What a column can hold.
  public enum Kind: Sendable {
    /// Nothing.
    case null
    /// A whole number.
    case integer
    /// A number with a fraction.
    case real
    /// A text.
    case text
    /// Bytes.
    case bytes
  }

  /// How many columns a row has.
  public var columnCount: Int32 { sqlite3_column_count(handle) }

  /// What a column holds in this row.
  public func kind(_ column: Int32) -> Kind {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .bytes
    default: .null
    }
  }

  /// A column as a number with a fraction; 0 for NULL.
  public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Whether a column is NULL.
  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A column as a number; 0 for NULL.
  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A column as a number, or nil for NULL.
  public func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// A column as a text; empty for NULL.
  public func text(_ column: Int32) -> String {
    sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
  }

  /// A column as bytes; none for NULL.
  public func bytes(_ column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(handle, column))
    guard count > 0, let base = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: base, count: count))
  }
}
