import LunaTesting
import Testing

@testable import LunaBackend

/// The storages that the conformance suite is for.
enum StorageKind: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL

  /// Those that can be tested here. Where PostgreSQL is missing, the reason is printed once.
  static let available: [StorageKind] = allCases.filter { kind in
    if kind == .postgreSQL { return PostgreSQLServer.shared != nil }
    return true
  }
}

/// A place for a storage that is empty in the beginning.
final class StoragePlace: Sendable {
  let location: StorageLocation
  private let folder = TestFolder()

  init(_ kind: StorageKind) throws {
    switch kind {
    case .sqlite:
      location = .sqlite(folder.path + "/backend.sqlite")
    case .postgreSQL:
      location = .postgreSQL(try #require(PostgreSQLServer.shared).newDatabase())
    }
  }

  /// Where a backup can go.
  var copy: String { folder.path + "/copy.sqlite" }

  func open() throws -> any Storage { try location.open() }

  func prepared() async throws -> any Storage {
    let storage = try open()
    try await storage.prepare()
    return storage
  }
}
