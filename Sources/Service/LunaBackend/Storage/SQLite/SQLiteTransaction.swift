import SQLite

/// Portable statements on a connection.
struct SQLiteTransaction: StorageTransaction {
  let connection: SQLiteConnection

  func rows(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> [StorageRow] {
    try connection.withPortable(statement) { select throws(StorageError) in
      SQLiteTransaction.bind(parameters, select)
      var rows: [StorageRow] = []
      while try select.step() {
        rows.append(
          StorageRow((0..<select.columnCount).map { SQLiteTransaction.value(select, $0) }))
      }
      return rows
    }
  }

  func change(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(StorageError) -> Int {
    try connection.withPortable(statement) { change throws(StorageError) in
      let before = connection.database.totalChanges
      SQLiteTransaction.bind(parameters, change)
      try change.run()
      // The number of the last statement stays where this one changes nothing, as one that selects.
      return connection.database.totalChanges == before ? 0 : connection.database.changes
    }
  }

  private static func bind(
    _ parameters: [StorageValue], _ statement: borrowing Statement<StorageError>
  ) {
    for (index, value) in zip(Int32(1)..., parameters) {
      switch value {
      case .null: statement.bind(index, nil)
      case .integer(let number): statement.bind(index, number)
      case .real(let number): statement.bind(index, real: number)
      case .text(let text): statement.bind(index, text)
      case .bytes(let bytes): statement.bind(index, bytes.span)
      }
    }
  }

  private static func value(
    _ statement: borrowing Statement<StorageError>, _ column: Int32
  ) -> StorageValue {
    switch statement.kind(column) {
    case .null: .null
    case .integer: .integer(statement.integer(column))
    case .real: .real(statement.real(column))
    case .text: .text(statement.text(column))
    case .bytes: .bytes(statement.bytes(column))
    }
  }
}
