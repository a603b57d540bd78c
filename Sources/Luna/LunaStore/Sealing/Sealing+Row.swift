import LunaCore
import LunaCrypto
import SQLite

extension Sealing {
  /// How the keys of a store are sealed; nil when they are not.
  init?(readFrom database: borrowing Database) throws(DeviceStoreError) {
    let statement = try database.prepare(
      "SELECT salt, cost, block_size, parallelization, sealed_key FROM sealing")
    guard try statement.step() else { return nil }
    self.init(
      salt: statement.bytes(0),
      work: Scrypt(
        cost: UInt64(clamping: statement.integer(1)),
        blockSize: UInt64(clamping: statement.integer(2)),
        parallelization: UInt64(clamping: statement.integer(3))),
      sealedKey: statement.bytes(4))
  }

  /// Makes it the one of a store; part of a transaction.
  func write(to database: borrowing Database) throws(DeviceStoreError) {
    let statement = try database.prepare("REPLACE INTO sealing VALUES(1, ?, ?, ?, ?, ?)")
    statement.bind(1, salt.span)
    statement.bind(2, Int64(clamping: work.cost))
    statement.bind(3, Int64(clamping: work.blockSize))
    statement.bind(4, Int64(clamping: work.parallelization))
    statement.bind(5, sealedKey.span)
    try statement.run()
  }
}
