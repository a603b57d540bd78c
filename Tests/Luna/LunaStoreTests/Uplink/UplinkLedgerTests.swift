import Bluetooth
import LunaCore
import LunaTesting
import SQLite
import Testing

@testable import LunaStore

/// How much data checks may use.
struct UplinkLedgerTests {
  private let folder = TestFolder()
  private let november = Timestamp(microseconds: 1_795_737_600_000_000)
  private let december = Timestamp(microseconds: 1_795_996_800_000_000 + 86_400_000_000)

  /// As the next program finds it.
  private func open() throws -> UplinkStore {
    try UplinkStore(in: StateDirectory(path: folder.path))
  }

  @Test func timesAreOfTwoMonths() {
    #expect(november.rfc3339.hasPrefix("2026-11-") && december.rfc3339.hasPrefix("2026-12-"))
  }

  @Test func noMonthHasMoreThanItsLimit() throws {
    do {
      let store = try open()
      #expect(try store.reserve(600, at: november, limit: 1_000, meteredLimit: nil) != nil)
      #expect(try store.reserve(401, at: november, limit: 1_000, meteredLimit: nil) == nil)
      #expect(try store.used(at: november) == 600)
    }
    // What nobody settled counts as used, also for who comes after it.
    do {
      let store = try open()
      #expect(try store.reserve(400, at: november, limit: 1_000, meteredLimit: nil) != nil)
      #expect(try store.reserve(1, at: november, limit: 1_000, meteredLimit: nil) == nil)
      #expect(try store.reserve(1_000, at: december, limit: 1_000, meteredLimit: nil) != nil)
      // A clock that was set back finds what there was.
      #expect(try store.reserve(1, at: november, limit: 1_000, meteredLimit: nil) == nil)
    }
  }

  @Test func whatWasNotUsedIsThereAgain() throws {
    do {
      let store = try open()
      let reserved = try store.reserve(900, at: november, limit: 1_000, meteredLimit: nil)
      let taken = try #require(reserved)
      #expect(taken.bytes == 900)
      try store.settle(taken, at: 300)
      #expect(try store.used(at: november) == 300)
      #expect(try store.reserve(700, at: november, limit: 1_000, meteredLimit: nil) != nil)
      // More than was reserved counts, too.
      try store.settle(taken, at: 301)
      #expect(try store.used(at: november) == 1_001)
      #expect(try store.reserve(0, at: november, limit: 1_000, meteredLimit: nil) == nil)
    }
  }

  @Test func meteredLinksHaveALimitOfTheirOwn() throws {
    do {
      let store = try open()
      #expect(try store.reserve(800, at: november, limit: 1_000, meteredLimit: nil) != nil)
      #expect(try store.reserve(101, at: november, limit: 1_000, meteredLimit: 100) == nil)
      #expect(try store.reserve(100, at: november, limit: 1_000, meteredLimit: 100) != nil)
      #expect(try store.used(at: november, onlyMetered: true) == 100)
      // Both count for the month.
      #expect(try store.reserve(101, at: november, limit: 1_000, meteredLimit: nil) == nil)
      #expect(try store.reserve(-1, at: november, limit: 1_000, meteredLimit: nil) == nil)
    }
  }

  @Test func keepsTheNewestOfMonthsThatAreOver() throws {
    do {
      let store = try open()
      #expect(try store.reserve(1, at: november, limit: 9, meteredLimit: nil) != nil)
      try store.database.execute(
        """
        INSERT INTO ledger(month, metered, bytes)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
        SELECT '2026-12', 0, 0 FROM n
        """)
      // The thousandth.
      #expect(try store.reserve(2, at: december, limit: 9, meteredLimit: nil) != nil)
      #expect(try store.used(at: november) == 1)
      #expect(try store.reserve(3, at: december, limit: 9, meteredLimit: nil) != nil)
      #expect(try store.used(at: november) == 0)
      // Those of the month all stay.
      #expect(try store.used(at: december) == 5)
      let count = try store.database.integer("SELECT count(*) FROM ledger")
      #expect(count == 1_000)
    }
  }

  @Test func staysWhereResultsAreForgotten() throws {
    do {
      let store = try open()
      #expect(try store.reserve(5, at: november, limit: 9, meteredLimit: nil) != nil)
      _ = try store.forget()
      #expect(try store.used(at: november) == 5)
    }
  }
}
