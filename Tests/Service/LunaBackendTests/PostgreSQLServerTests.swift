import Foundation
import Testing

/// The server that tests of the second storage have: without one they say nothing at all.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLServerTests {
  static let isInstalled =
    (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.isEmpty == false

  @Test(.enabled(if: isInstalled, "there is no PostgreSQL, so that its storage is not tested"))
  func isThere() {
    #expect(PostgreSQLServer.shared != nil)
    #expect(PostgreSQLServer.workers.count == 3)
    #expect(StorageKind.available == StorageKind.allCases)
  }
}
