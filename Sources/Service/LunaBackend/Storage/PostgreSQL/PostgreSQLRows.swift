#if PostgreSQL
  import CPostgreSQL

  /// What a statement gave, in binary format.
  struct PostgreSQLRows: ~Copyable {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    /// How many rows were changed.
    var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    func isNull(_ row: Int, _ column: Int) -> Bool {
      PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
      let length = Int(PQgetlength(result, Int32(row), Int32(column)))
      let start = PQgetvalue(result, Int32(row), Int32(column))
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
#endif
