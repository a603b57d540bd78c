import Foundation
import LunaCore
import LunaTesting
import SQLite
import Testing

@testable import LunaStore

/// A store in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileAnotherProgramWrites() async throws {
    let place = try Workplace()
    await #expect(processExitsWith: .success) { [path = place.state.path as String] in
      let store = try SQLiteDeviceStore(
        in: StateDirectory(path: path), patience: .seconds(60))
      let other = try Writer("\(path)/\(SQLiteDeviceStore.defaultFileName)")
      try await OneThread.check(
        { try await store.put(Samples.device(1)) }, until: { try other.end() })
      let devices = try await store.allDevices()
      #expect(devices.count == 1)
    }
  }

  /// Somebody who is writing to the file.
  private final class Writer: @unchecked Sendable {
    private let database: SQLite.Database<DeviceStoreError>

    init(_ path: String) throws {
      database = try SQLite.Database<DeviceStoreError>(path: path, patience: .zero)
      try database.execute("BEGIN IMMEDIATE")
    }

    func end() throws { try database.execute("ROLLBACK") }
  }
}
