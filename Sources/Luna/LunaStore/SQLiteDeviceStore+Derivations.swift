public import LunaCore
public import LunaProtocol
import SQLite

extension SQLiteDeviceStore {
  /// Identifiers that were derived before.
  public func derivations(for key: DerivationKey) throws(DeviceStoreError) -> [UInt8]? {
    let statement = try database.prepare(
      """
      SELECT identifiers FROM derivations JOIN devices ON devices.id = device
      WHERE uuid = ?1 AND sequence = ?2 AND first = ?3 AND last = ?4
      """)
    bind(key, to: statement)
    return try statement.step() ? statement.bytes(0) : nil
  }

  /// Keeps derived identifiers of a device that is known.
  public func saveDerivations(_ bytes: [UInt8], for key: DerivationKey) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let statement = try database.prepare(
        "REPLACE INTO derivations SELECT id, ?2, ?3, ?4, ?5 FROM devices WHERE uuid = ?1")
      bind(key, to: statement)
      statement.bind(5, bytes.span)
      try statement.run()
    }
  }

  /// Drops the derivations of a device that end before a period.
  public func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let statement = try database.prepare(
        """
        DELETE FROM derivations
        WHERE device = (SELECT id FROM devices WHERE uuid = ?1) AND last < ?2
        """)
      statement.bind(1, uuid.bytes.span)
      statement.bind(2, Int64(period))
      try statement.run()
    }
  }

  private func bind(_ key: DerivationKey, to statement: borrowing Statement) {
    statement.bind(1, key.device.bytes.span)
    statement.bind(2, Int64(key.sequence))
    statement.bind(3, Int64(key.periods.first))
    statement.bind(4, Int64(key.periods.last))
  }
}
