import Glibc
import LunaClient
import LunaCore
import LunaHome
import LunaStore
import SQLite
import Testing

@testable import LunaNotify

/// The file of the outbox, which is the home's, when somebody does harm to it.
@Suite struct OutboxFileTests {
  /// Always the largest number: the longest pauses.
  private struct Longest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
  }

  private let folder = TemporaryFolder()

  /// A home with some entries in its log.
  private func begun() async throws -> HomeStore {
    let store = try await HomeStore.open(in: StateDirectory(path: folder.path))
    for id in Int64(1)...20 { try await add(id, to: store) }
    return store
  }

  private func add(_ id: Int64, to store: HomeStore) async throws {
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try OutboxTable.add([Homes.entry(id, at: 0)], to: database.connection)
    }
  }

  /// What is wrong when something is written.
  private func failure(_ file: OutboxFile) -> SQLiteFailure.Kind? {
    do throws(OutboxError) {
      try file.work { (database) throws(OutboxError) in
        try OutboxTable.markHandedOver([1], in: database)
      }
      return nil
    } catch {
      return error.kind
    }
  }

  private func cutLog(of store: HomeStore) {
    var status = stat()
    let log = store.path + "-wal"
    #expect(stat(log, &status) == 0 && status.st_size > 0)
    #expect(truncate(log, status.st_size / 2) == 0)
    // The clock of files is too coarse for a test in a hurry.
    let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
  }

  /// Nothing is written that the next home would not find; who opens it next does not leave it out without a word.
  @Test func aLogThatIsCutIsNotWritten() async throws {
    let store = try await begun()
    var file: OutboxFile? = try OutboxFile(path: store.path)
    #expect(file.flatMap(failure) == nil)
    cutLog(of: store)
    for _ in 1...2 { #expect(file.flatMap(failure) == .damaged) }
    await #expect(throws: DeviceStoreError.self) { try await add(21, to: store) }
    await store.close()
    file = nil
    #expect {
      try OutboxFile(path: store.path)
    } throws: {
      ($0 as? DeviceStoreError)?.kind == .damaged
    }
  }

  @Test func aFileThatIsGoneIsNotWritten() async throws {
    let store = try await begun()
    let file = try OutboxFile(path: store.path)
    #expect(failure(file) == nil)
    #expect(unlink(store.path) == 0)
    #expect(failure(file) == .gone)
  }

  /// Whatever numbers are in it: it is tried or given up, as any other one.
  @Test(arguments: [Int64.min, .max]) func aDamagedRowEndsNobody(number: Int64) async throws {
    let store = try await begun()
    let file = try OutboxFile(path: store.path)
    let entries = try file.work { (database) throws(OutboxError) -> [OutboxEntry] in
      try database.execute(
        "UPDATE outbox SET since = \(number), due = \(number), attempts = \(number), unsure = \(number)"
      )
      return try OutboxTable.waiting(after: 0, or: [], in: database).map(\.entry)
    }
    #expect(entries.count == 20)
    var outbox = Outbox(Homes.configuration().notifications)
    for entry in entries { outbox.add(entry) }
    var generator = Longest()
    switch outbox.next(at: Homes.noon) {
    case .settle(let settlement): #expect(number < 0 && settlement.ids.count == 20)
    case .send(let shipment):
      let settlement = outbox.ended(
        shipment, .failed("busy", retryAfter: nil), at: Homes.noon, using: &generator)
      #expect(number > 0 && settlement.state == .waiting)
    default: Issue.record("nothing is done")
    }
  }

  /// Those who have it open at the same time are no danger to each other.
  @Test func worksBesideItsHome() async throws {
    let store = try await begun()
    let file = try OutboxFile(path: store.path)
    for id in Int64(21)...60 {
      try await add(id, to: store)
      #expect(failure(file) == nil)
      if id.isMultiple(of: 10) {
        try file.work { (database) throws(OutboxError) in
          try database.execute("PRAGMA wal_checkpoint(RESTART)")
        }
      }
    }
    #expect(
      try file.work { (database) throws(OutboxError) in
        try OutboxTable.count(.waiting, in: database)
      } == 60)
  }
}
