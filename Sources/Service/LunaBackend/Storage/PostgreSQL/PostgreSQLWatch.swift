import EventLoop
import Synchronization

/// Hears of changes that any server has committed (`LISTEN`), on a thread of its own.
final class PostgreSQLWatch: StorageWatch {
  /// The name that the schema's trigger tells them under.
  private static let channel = "luna_changes"
  /// How long it waits at once: so late it sees that it is ended, s.
  private static let patience: Int32 = 1

  private let isEnded = Atomic(false)

  init(_ connection: PostgreSQLConnection, _ told: @escaping @Sendable () -> Void) {
    Blocking(name: "luna.backend.watch").start { [self] in
      while !isEnded.load(ordering: .relaxed) {
        do throws(StorageError) {
          let isNew = try connection.waitForNotice(
            PostgreSQLWatch.channel, seconds: PostgreSQLWatch.patience)
          if isNew, !isEnded.load(ordering: .relaxed) { told() }
        } catch {
          // Others tell of it, and wait for the same server.
          connection.rest(seconds: PostgreSQLWatch.patience)
        }
      }
    }
  }

  func end() { isEnded.store(true, ordering: .relaxed) }
}
