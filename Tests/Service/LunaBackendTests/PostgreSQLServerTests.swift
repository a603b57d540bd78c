import Foundation
import Testing

/// The server that tests of the second storage have: without one they say nothing at all.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLServerTests {
  /// Not where there are only its clients, which lie in the same directory.
  static let isInstalled =
    (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.contains {
      FileManager.default.fileExists(atPath: "/usr/lib/postgresql/\($0)/bin/initdb")
    } == true

  @Test(.enabled(if: isInstalled, "there is no PostgreSQL, so that its storage is not tested"))
  func isThere() {
    #expect(PostgreSQLServer.shared != nil)
    #expect(PostgreSQLServer.workers.count == 3)
    #expect(StorageKind.available == StorageKind.allCases)
  }
}
