/// Portable statements on a connection.
struct PostgreSQLTransaction: StorageTransaction {
  let connection: PostgreSQLConnection

  func rows(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> [StorageRow] {
    let result = try connection.runPortable(statement, PostgreSQLTransaction.values(parameters))
    var rows: [StorageRow] = []
    rows.reserveCapacity(result.count)
    for row in 0..<result.count {
      var values: [StorageValue] = []
      for column in 0..<result.columns { values.append(try result.value(row, column)) }
      rows.append(StorageRow(values))
    }
    return rows
  }

  func change(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> Int {
    try connection.runPortable(statement, PostgreSQLTransaction.values(parameters)).changes
  }

  private static func values(_ parameters: [StorageValue]) -> [PostgreSQLValue] {
    parameters.map { value in
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .bytes(let bytes): .bytes(bytes)
      }
    }
  }
}
