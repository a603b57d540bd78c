import LunaCore
import LunaStore
import SQLite

/// A parameter of a statement.
enum HomeSQLValue: Sendable {
  case text(String?)
  case integer(Int64?)
  case bytes([UInt8]?)
}

extension HomeDatabase {
  private func prepared(
    _ sql: String, _ values: [HomeSQLValue]
  ) throws(DeviceStoreError) -> Statement<DeviceStoreError> {
    let statement = try connection.prepare(sql)
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .text(let text?): statement.bind(place, text)
      case .integer(let number): statement.bind(place, number)
      case .bytes(let bytes?): statement.bind(place, bytes.span)
      case .text(nil), .bytes(nil): statement.bind(place, Int64?.none)
      }
    }
    return statement
  }

  /// Changes rows.
  ///
  /// - Returns: how many.
  @discardableResult
  func change(_ sql: String, _ values: [HomeSQLValue] = []) throws(DeviceStoreError) -> Int {
    try prepared(sql, values).run()
    return connection.changes
  }

  /// What is made of each row.
  func rows<Value>(
    _ sql: String, _ values: [HomeSQLValue] = [],
    _ make: (borrowing Statement<DeviceStoreError>) -> Value?
  ) throws(DeviceStoreError) -> [Value] {
    let statement = try prepared(sql, values)
    var found: [Value] = []
    while try statement.step() {
      if let value = make(statement) { found.append(value) }
    }
    return found
  }
}
