import Diagnosis

/// Where a backend keeps what it knows: `sqlite:FILE` or `postgres:CONNECTION`.
public enum StorageLocation: Hashable, Sendable {
  /// A file.
  case sqlite(String)
  /// A database server, as libpq takes it: `service=luna`, `host=… dbname=…`, or what follows
  /// `postgres:` in a URI. A password belongs in a password file, not here.
  case postgreSQL(String)

  /// Reads a location.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    if text.hasPrefix("sqlite:"), text.count > 7 {
      self = .sqlite(String(text.dropFirst(7)))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgreSQL(text)
    } else if text.hasPrefix("postgres:") {
      self = .postgreSQL(String(text.dropFirst(9)))
    } else {
      return nil
    }
  }

  /// Opens the storage; its schema is brought to this version by ``Storage/migrate()``.
  ///
  /// - Parameters:
  ///   - isMade: whether a file is made where there is none.
  ///   - isServing: whether this process serves it, see ``SQLiteStorage``; a server of databases has any number.
  ///   - outage: tells of what happens to connections.
  public func open(
    _ settings: StorageSettings = StorageSettings(), isMade: Bool = true,
    isServing: Bool = true, outage: StorageOutage = StorageOutage(.none)
  ) throws(StorageError) -> any Storage {
    switch self {
    case .sqlite(let path):
      return try SQLiteStorage(
        path: path, capacity: settings.capacity, readers: max(1, settings.connections / 2),
        isMade: isMade, isServing: isServing)
    case .postgreSQL(let connection):
      return try PostgreSQLStorage(
        connection, connections: settings.connections, capacity: settings.capacity,
        outage: outage)
    }
  }
}
