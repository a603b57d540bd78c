import LunaJSON

/// What everybody has set for the console.
struct PreferenceStore: Sendable {
  /// What can be set.
  enum Name: String, Sendable {
    case layout, filters, theme
  }

  let storage: any Storage

  /// What somebody has set; nil for nothing.
  func value(_ name: Name, of owner: String) async throws(StorageError) -> JSONValue? {
    let row = try await storage.lookUp { work throws(StorageError) in
      try work.row(
        "SELECT value FROM luna.preferences WHERE owner = $1 AND name = $2",
        [.text(owner), .text(name.rawValue)])
    }
    return row.flatMap { try? JSONReader.read(Array($0.text(0).utf8)) }
  }

  /// What everybody else has set who may share it now, by their names: operators, by account or with a token that is
  /// not revoked. Of who has that right no more nothing is shared, as all rights end at once.
  func shared(
    _ name: Name, but owner: String
  ) async throws(StorageError) -> [(owner: String, value: JSONValue)] {
    let rows = try await storage.lookUp { work throws(StorageError) in
      try work.rows(
        """
        SELECT owner, value FROM luna.preferences
        WHERE name = $1 AND owner <> $2 AND owner IN (
          SELECT name FROM luna.accounts WHERE role IN ('operator', 'admin')
          UNION SELECT role || ':' || name FROM luna.tokens
            WHERE revoked IS NULL AND rights IN ('operator', 'admin'))
        ORDER BY owner
        """, [.text(name.rawValue), .text(owner)])
    }
    return rows.compactMap { row in
      (try? JSONReader.read(Array(row.text(1).utf8))).map { (row.text(0), $0) }
    }
  }

  /// Sets something.
  ///
  /// - Parameter change: makes the new value of the one before, and of nothing where there was none; may run
  ///   twice.
  /// - Returns: the new value.
  func set(
    _ name: Name, of owner: String, _ change: @escaping @Sendable (JSONValue?) -> JSONValue
  ) async throws(StorageError) -> JSONValue {
    try await storage.transaction { work throws(StorageError) in
      let row = try work.row(
        "SELECT value FROM luna.preferences WHERE owner = $1 AND name = $2",
        [.text(owner), .text(name.rawValue)])
      let value = change(row.flatMap { try? JSONReader.read(Array($0.text(0).utf8)) })
      try work.change(
        """
        INSERT INTO luna.preferences(owner, name, value) VALUES($1, $2, $3)
        ON CONFLICT(owner, name) DO UPDATE SET value = excluded.value
        """, [.text(owner), .text(name.rawValue), .text(value.description)])
      return value
    }
  }
}
