import Dispatch
import Glibc
import LunaClient
import LunaHome
import LunaTesting
import SQLite
import Testing

@testable import LunaNotify

/// An outbox in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileAnotherProgramHasTheFile() async throws {
    let folder = TemporaryFolder()
    #expect(mkdir(folder.path, 0o700) == 0)
    await #expect(processExitsWith: .success) { [path = "\(folder.path)/home.sqlite" as String] in
      let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
      let other = try Holder(path)
      try await OneThread.check(
        {
          _ = try await OutboxFile.open(path: path, patience: .seconds(60))
        }, until: { try other.end() })
    }
    withExtendedLifetime(folder) {}
  }

  @Test func tasksGoOnWhileItIsNotedThatAProgramIsCalled() async {
    await #expect(processExitsWith: .success) {
      let courier = ChannelCourier(Homes.configuration().notifications, book: nil)
      var entry = Homes.entry(1, at: Homes.noon)
      entry.channel = "bell"
      let shipment = Shipment(entry)
      let noted = DispatchSemaphore(value: 0)
      try await OneThread.check(
        {
          let outcome = await courier.deliver(shipment, at: Homes.noon) { noted.wait() }
          try #require(outcome == .delivered)
        }, until: { noted.signal() })
    }
  }

  /// Somebody who lets nobody else read the file.
  private final class Holder: @unchecked Sendable {
    private let database: Database<OutboxError>

    init(_ path: String) throws {
      database = try Database<OutboxError>(path: path, patience: .zero)
      try database.execute("CREATE TABLE held (number INTEGER)")
      try database.execute("BEGIN EXCLUSIVE")
    }

    func end() throws { try database.execute("COMMIT") }
  }
}
