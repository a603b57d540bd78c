package import Bluetooth
import LunaCore
import SQLite

extension UplinkStore {
  /// A clock that is so much further than at the last look may be wrong.
  private static let leap = 30 * day

  /// Whether a result is not too old to be shown. One may be that is still there, where nobody believes the clock yet.
  package static func isShown(_ record: UplinkRecord, at now: Timestamp) -> Bool {
    record.time.microseconds >= now.microseconds - lifetime
  }

  /// Which results are too old, by a clock that may be wrong: those before this time, µs.
  ///
  /// A clock that has leapt ahead is believed when it says so a day later as well: until then what is too old is told by
  /// what it said before. Who puts it right by then has lost nothing.
  func bound(at now: Timestamp) throws(DeviceStoreError) -> Int64 {
    let now = now.microseconds
    var (believed, doubted): (Int64, Int64?) = try (lastTime() ?? now, nil)
    let row = try database.prepare("SELECT believed, doubted FROM clock")
    if try row.step() {
      believed = row.integer(0)
      if !row.isNull(1) { doubted = row.integer(1) }
    }
    let isAgain = doubted.map { $0 <= now - UplinkStore.day } ?? false
    if isAgain || now <= believed + UplinkStore.leap {
      (believed, doubted) = (now, nil)
    } else {
      doubted = min(doubted ?? now, now)
    }
    let look = try database.prepare("INSERT OR REPLACE INTO clock VALUES(1, ?1, ?2)")
    look.bind(1, believed)
    look.bind(2, doubted)
    try look.run()
    return believed - UplinkStore.lifetime
  }

  /// Whether there is nothing to be written at a look: no result is too old, and the clock is believed.
  func isCurrent(at now: Timestamp) throws(DeviceStoreError) -> Bool {
    let now = now.microseconds
    let old = try database.integer(
      "SELECT count(*) FROM results WHERE time < \(now - UplinkStore.lifetime)")
    let believed = try database.integer(
      """
      SELECT count(*) FROM clock
      WHERE doubted IS NULL AND believed BETWEEN \(now - UplinkStore.leap) AND \(now + UplinkStore.day)
      """)
    return old == 0 && believed > 0
  }

  /// When the last result came that is there, for a clock at which nobody has looked so far.
  private func lastTime() throws(DeviceStoreError) -> Int64? {
    let row = try database.prepare("SELECT time FROM results ORDER BY number DESC LIMIT 1")
    return try row.step() ? row.integer(0) : nil
  }
}
