import Foundation
import Glibc
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
  private let directory: String?

  init(_ kind: StorageKind) throws {
    switch kind {
    case .sqlite:
      var template = Array("/tmp/luna-backend-test.XXXXXX".utf8CString)
      guard let path = mkdtemp(&template) else { throw StorageError(.failed, "mkdtemp") }
      directory = String(cString: path)
      location = .sqlite(String(cString: path) + "/backend.sqlite")
    case .postgreSQL:
      directory = nil
      location = .postgreSQL(try #require(PostgreSQLServer.shared).newDatabase())
    }
  }

  deinit {
    guard let directory else { return }
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Where a backup can go.
  var copy: String { (directory ?? "/tmp") + "/copy.sqlite" }

  func open() throws -> any Storage { try location.open() }

  func prepared() async throws -> any Storage {
    let storage = try open()
    try await storage.prepare()
    return storage
  }
}
