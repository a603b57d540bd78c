import Foundation
import Testing

/// The server that tests of the second storage have. Those of all kinds of storage go on with SQLite alone where there
/// is none: that the other kinds are missing then is said here.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLServerTests {
  /// Not where there are only its clients, which lie in the same directory.
  static let isInstalled =
    (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.contains {
      FileManager.default.fileExists(atPath: "/usr/lib/postgresql/\($0)/bin/initdb")
    } == true

  @Test(.enabled(if: isInstalled, "no storage but SQLite is tested: PostgreSQL is not installed"))
  func isThere() {
    #expect(PostgreSQLServer.shared != nil)
    #expect(PostgreSQLServer.workers.count == 3)
    #expect(StorageKind.available == StorageKind.allCases)
  }
}
