package import Bluetooth
package import LunaCore
import SQLite

extension UplinkStore {
  /// So many checks of months that are over stay in the ledger.
  private static let kept: Int64 = 1_000

  /// How many bytes checks used in the month (UTC) of a time, or have reserved.
  ///
  /// - Parameter onlyMetered: whether only those over metered links count.
  package func used(
    at time: Timestamp, onlyMetered: Bool = false
  ) throws(DeviceStoreError) -> Int64 {
    let sum = try database.prepare(
      "SELECT coalesce(sum(bytes), 0) FROM ledger WHERE month = ?1 AND metered >= ?2")
    sum.bind(1, UplinkStore.month(of: time))
    sum.bind(2, onlyMetered ? 1 : 0)
    return try sum.step() ? sum.integer(0) : 0
  }

  /// Reserves data for a check, in the month of a time. It is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - limit: what all checks of a month may use.
  ///   - meteredLimit: what those over metered links may; nil where this one is not over one.
  /// - Returns: nil where that would be more than a limit.
  package func reserve(
    _ bytes: Int64, at time: Timestamp, limit: Int64, meteredLimit: Int64?
  ) throws(DeviceStoreError) -> UplinkReservation? {
    try database.transaction { () throws(DeviceStoreError) -> UplinkReservation? in
      // Nothing here overflows: a sum beyond all limits is an error of the database.
      guard bytes >= 0, try used(at: time) <= limit - bytes else { return nil }
      if let meteredLimit {
        guard try used(at: time, onlyMetered: true) <= meteredLimit - bytes else { return nil }
      }
      let insert = try database.prepare(
        "INSERT INTO ledger(month, metered, bytes) VALUES(?1, ?2, ?3)")
      insert.bind(1, UplinkStore.month(of: time))
      insert.bind(2, meteredLimit == nil ? 0 : 1)
      insert.bind(3, bytes)
      try insert.run()
      let number = try database.integer("SELECT last_insert_rowid()")
      // Nobody asks for months that are over, but for a clock that was wrong and is put back: the newest stay.
      let prune = try database.prepare("DELETE FROM ledger WHERE month <> ?1 AND number <= ?2")
      prune.bind(1, UplinkStore.month(of: time))
      prune.bind(2, number - UplinkStore.kept)
      try prune.run()
      return UplinkReservation(number: number, bytes: bytes)
    }
  }

  /// Says what a check has used of what was reserved for it, be it less or more.
  package func settle(
    _ reservation: UplinkReservation, at bytes: Int64
  ) throws(DeviceStoreError) {
    let update = try database.prepare("UPDATE ledger SET bytes = ?1 WHERE number = ?2")
    update.bind(1, max(0, bytes))
    update.bind(2, reservation.number)
    try update.run()
  }

  private static func month(of time: Timestamp) -> String { String(time.rfc3339.prefix(7)) }
}
