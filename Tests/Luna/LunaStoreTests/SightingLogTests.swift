import LunaCore
import LunaTesting
import SQLite
import Synchronization
import Testing

@testable import LunaStore

/// A disk that stays full for days, or a store that somebody keeps locked, is tried each second.
struct SightingLogTests {
  private final class Lines: Logger {
    let level = LogLevel.ERROR
    let lines = Mutex<[String]>([])

    func write(_ level: LogLevel, _ message: String) { lines.withLock { $0.append(message) } }
  }

  @Test func tellsOnceThatNothingIsKeptUntilItWorksAgain() async throws {
    let place = try Workplace()
    let lines = Lines()
    let store = try SQLiteDeviceStore(in: place.state, patience: .zero, logger: lines)
    try await store.put(Samples.device(1))
    let other = try Database(path: place.file, patience: .seconds(10))
    for round in 1...2 {
      try other.execute("BEGIN IMMEDIATE")
      store.record([Samples.sighting(of: Samples.uuid(1), at: 5)])
      for _ in 0..<3 { await store.writeInBackground() }
      #expect(lines.lines.withLock(\.count) == round)
      try other.execute("ROLLBACK")
      await store.writeInBackground()
    }
  }
}
