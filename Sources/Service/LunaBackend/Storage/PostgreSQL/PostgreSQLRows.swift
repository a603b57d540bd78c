import CPostgreSQL

/// What a statement gave, in binary format.
struct PostgreSQLRows: ~Copyable {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { cpq_clear(result) }

  var count: Int { Int(cpq_ntuples(result)) }

  var columns: Int { Int(cpq_nfields(result)) }

  /// A column by its type (catalog pg_type).
  func value(_ row: Int, _ column: Int) throws(StorageError) -> StorageValue {
    if isNull(row, column) { return .null }
    switch cpq_ftype(result, Int32(column)) {
    case 20, 21, 23: return .integer(integer(row, column))
    case 16: return .integer(bytes(row, column) == [1] ? 1 : 0)
    case 701:
      return .real(Double(bitPattern: UInt64(bitPattern: integer(row, column))))
    case 25, 1043: return .text(text(row, column))
    case 17: return .bytes(bytes(row, column))
    case let type:
      throw StorageError(.failed, "a column has type \(type), which is not one of this storage")
    }
  }

  /// How many rows were changed.
  var changes: Int { Int(String(cString: cpq_cmd_tuples(result))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    cpq_getisnull(result, Int32(row), Int32(column))
  }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] {
    let length = Int(cpq_getlength(result, Int32(row), Int32(column)))
    let start = cpq_getvalue(result, Int32(row), Int32(column))
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  /// A whole number of 2, 4 or 8 bytes.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch bytes.count {
    case 2: return Int64(Int16(truncatingIfNeeded: value))
    case 4: return Int64(Int32(truncatingIfNeeded: value))
    default: return Int64(truncatingIfNeeded: value)
    }
  }

  func text(_ row: Int, _ column: Int) -> String {
    String(decoding: bytes(row, column), as: UTF8.self)
  }
}
