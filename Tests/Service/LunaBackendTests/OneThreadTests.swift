import Glibc
import LunaTesting
import SQLite
import Testing

@testable import LunaBackend

/// A storage in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileAnotherProgramWrites() async {
    let folder = TestFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.path + "/backend.sqlite" as String] in
      let storage = try SQLiteStorage(path: path)
      let other = try Writer(path)
      try await OneThread.check({ try await storage.migrate() }, until: { try other.end() })
      try await storage.health()
    }
    withExtendedLifetime(folder) {}
  }

  /// A disk that is slow; here it is a pipe that nobody reads from yet.
  @Test func tasksGoOnWhileABackupIsWritten() async {
    let folder = TestFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      let storage = try SQLiteStorage(path: folder + "/backend.sqlite")
      try await storage.migrate()
      let pipe = folder + "/copy"
      try #require(mkfifo(pipe, 0o600) == 0)
      try await OneThread.check(
        { try await storage.backup(to: pipe, replacing: true) },
        until: {
          let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
          var piece = [UInt8](repeating: 0, count: 65_536)
          while read(descriptor, &piece, piece.count) > 0 {}
          close(descriptor)
        })
    }
    withExtendedLifetime(folder) {}
  }

  /// Somebody who is writing to the file.
  private final class Writer: @unchecked Sendable {
    private let database: Database<StorageError>

    init(_ path: String) throws {
      database = try Database<StorageError>(path: path, patience: .zero)
      try database.execute("BEGIN IMMEDIATE")
    }

    func end() throws { try database.execute("ROLLBACK") }
  }
}
