import LunaTesting
import Testing

@testable import LunaBackend

/// The storages that the conformance suite is for.
enum StorageKind: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL
  /// PostgreSQL with events that are spread over other servers; all else is as there.
  case standIn

  /// Those that can be tested here. Where PostgreSQL is missing, the reason is printed once.
  static let available = ofEvents.filter { $0 != .standIn }

  /// The same, of what is about events.
  static let ofEvents = allCases.filter { $0 == .sqlite || PostgreSQLServer.shared != nil }
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
    case .standIn:
      location = .postgreSQL(try #require(PostgreSQLServer.shared).newStandIn())
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
