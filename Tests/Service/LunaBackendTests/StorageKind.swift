import LunaTesting
import Testing

@testable import LunaBackend

/// The storages that the conformance suite is for.
enum StorageKind: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL
  /// PostgreSQL with events that are spread over three other servers, as Citus would.
  case standIn

  /// Those that can be tested here. Where PostgreSQL is missing, PostgreSQLServerTests says that it was not.
  static let available = allCases.filter { $0 == .sqlite || PostgreSQLServer.shared != nil }
}

/// A place for a storage that is empty in the beginning.
final class StoragePlace: Sendable {
  let location: StorageLocation
  private let kind: StorageKind
  private let folder = TestFolder()

  init(_ kind: StorageKind) throws {
    self.kind = kind
    switch kind {
    case .sqlite:
      location = .sqlite(folder.path + "/backend.sqlite")
    case .postgreSQL, .standIn:
      location = .postgreSQL(try #require(PostgreSQLServer.shared).newDatabase())
    }
  }

  /// Where a backup can go.
  var copy: String { folder.path + "/copy.sqlite" }

  func open() throws -> any Storage { try location.open() }

  /// Spreads events over other servers, where that is what this place is for. A storage finds it out when it is opened.
  func spread(upTo version: Int = PostgreSQLSchema.steps.count) throws {
    guard kind == .standIn, case .postgreSQL(let settings) = location else { return }
    try PostgreSQLServer.spread(settings, upTo: version)
  }

  func prepared() async throws -> any Storage {
    try spread()
    let storage = try open()
    try await storage.prepare()
    return storage
  }
}
