public import LunaCore
import LunaCrypto
public import LunaProtocol
import SQLite

extension SQLiteDeviceStore {
  /// The onboardings whose end is not known, in the order in which they were added.
  public func pendingOnboardings() throws(DeviceStoreError) -> [PendingOnboarding] {
    // One view of records and sealing.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let count = try database.integer("SELECT count(*) FROM pending")
    return count == 0 ? [] : try readPending(openingWith: try currentKey())
  }

  func readPending(openingWith key: SecretBytes?) throws(DeviceStoreError) -> [PendingOnboarding] {
    let statement = try database.prepare(
      """
      SELECT uuid, name, kind, onboarded, unauthenticated, keys, firmware, hint FROM pending
      ORDER BY id
      """)
    var records: [PendingOnboarding] = []
    while try statement.step() {
      let device = try readDevice(statement, openingWith: key)
      let hint = ESF(value: UInt32(truncatingIfNeeded: statement.integer(7)))
      records.append(PendingOnboarding(device: device, hint: hint))
    }
    return records
  }

  /// Adds one. It is on the disk when this returns.
  ///
  /// - Throws: ``DeviceStoreError``; of kind `failed` when a device has that uuid.
  public func addPending(_ pending: PendingOnboarding) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let reading = try database.prepare("SELECT 1 FROM devices WHERE uuid = ?")
      reading.bind(1, pending.device.uuid.bytes.span)
      guard try !reading.step() else { throw .takenUUID(pending.device.uuid) }
      try write([pending], sealingWith: try currentKey())
    }
  }

  /// Part of a transaction.
  func write(
    _ records: [PendingOnboarding], sealingWith key: SecretBytes?
  ) throws(DeviceStoreError) {
    let statement = try database.prepare(
      """
      INSERT INTO pending(uuid, name, kind, onboarded, unauthenticated, keys, firmware, hint)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(uuid) DO UPDATE SET
      name = ?2, kind = ?3, onboarded = ?4, unauthenticated = ?5, keys = ?6, firmware = ?7, hint = ?8
      """)
    for record in records {
      try bind(record.device, to: statement, sealingWith: key)
      statement.bind(8, Int64(record.hint.value))
      try statement.run()
    }
  }

  /// Makes a device of one, in one transaction.
  ///
  /// - Returns: the device; nil when there is no such record.
  public func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) throws(DeviceStoreError) -> Device? {
    defer { rope.pull() }
    return try database.transaction { () throws(DeviceStoreError) in
      let key = try currentKey()
      let records = try readPending(openingWith: key)
      guard var device = records.first(where: { $0.device.uuid == uuid })?.device else {
        return nil
      }
      if let name { device.name = name }
      try write([device], sealingWith: key)
      // Counters that were issued before are not issued again.
      let copying = try database.prepare(
        """
        UPDATE devices SET counter = (SELECT counter FROM pending WHERE uuid = ?1) WHERE uuid = ?1
        """)
      copying.bind(1, uuid.bytes.span)
      try copying.run()
      try removePending(uuid)
      return device
    }
  }

  /// Removes one.
  ///
  /// - Returns: false when there is no such record.
  @discardableResult
  public func discardPending(_ uuid: DeviceUUID) throws(DeviceStoreError) -> Bool {
    try database.transaction { () throws(DeviceStoreError) in
      try removePending(uuid)
      return database.changes > 0
    }
  }

  private func removePending(_ uuid: DeviceUUID) throws(DeviceStoreError) {
    let statement = try database.prepare("DELETE FROM pending WHERE uuid = ?")
    statement.bind(1, uuid.bytes.span)
    try statement.run()
  }
}
