public import Bluetooth
public import LunaCore
public import LunaProtocol
import SQLite

extension SQLiteDeviceStore {
  private static let columns = "uuid, time, address, rssi, period, battery_low, eid"

  /// Takes note of sightings. They are written when 1,000 are waiting, after a second, or with
  /// ``flush()``; those of unknown devices are left out then.
  ///
  /// As long as they cannot be written, the last 65,536 wait.
  public nonisolated func record(_ sightings: [Sighting]) {
    guard let delay = waiting.append(sightings) else { return }
    Task {
      try? await Task.sleep(for: delay)
      await writeInBackground()
    }
  }

  func writeInBackground() {
    do throws(DeviceStoreError) {
      try flush()
    } catch {
      // They go on waiting; the next sightings bring the next attempt. Once is enough until it works again.
      if !keepsNoSightings { logger.log(.ERROR, "sightings could not be kept: \(error)") }
      keepsNoSightings = true
    }
  }

  /// Keeps what was recorded so far.
  public func flush() throws(DeviceStoreError) {
    let lost = try waiting.drain { batch throws(DeviceStoreError) in try insert(batch) }
    keepsNoSightings = false
    if lost > 0 {
      logger.log(.ERROR, "\(lost) sightings were lost while the store could not be written")
    }
  }

  private func insert(_ sightings: [Sighting]) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let rows = try deviceRows()
      let statement = try database.prepare(
        """
        INSERT INTO sightings(device, time, address, rssi, period, battery_low, eid)
        VALUES(?, ?, ?, ?, ?, ?, ?)
        """)
      for sighting in sightings {
        guard let row = rows[sighting.device] else { continue }
        statement.bind(1, row)
        statement.bind(2, sighting.receivedAt.microseconds)
        statement.bind(3, Int64(bitPattern: sighting.address.value))
        statement.bind(4, sighting.rssi.map { Int64($0) })
        statement.bind(5, sighting.period.map { Int64($0) })
        statement.bind(6, sighting.batteryLow.map { $0 ? 1 : 0 })
        statement.bind(7, sighting.eid.span)
        try statement.run()
      }
      // By number and not by age: a clock that jumps must not cost anything.
      let excess = try database.prepare("DELETE FROM sightings WHERE id <= ?")
      excess.bind(1, database.lastRow &- sightingLimit)
      try excess.run()
    }
    knownRows?.changes = database.totalChanges
  }

  private func deviceRows() throws(DeviceStoreError) -> [DeviceUUID: Int64] {
    let version = try database.integer("PRAGMA data_version")
    if let knownRows, knownRows.version == version, knownRows.changes == database.totalChanges {
      return knownRows.rows
    }
    let statement = try database.prepare("SELECT uuid, id FROM devices")
    var rows: [DeviceUUID: Int64] = [:]
    while try statement.step() {
      rows[try Self.uuid(statement.bytes(0), path: database.path)] = statement.integer(1)
    }
    knownRows = KnownRows(version: version, changes: database.totalChanges, rows: rows)
    return rows
  }

  /// The last sighting of each device that was heard.
  public func lastSightings() throws(DeviceStoreError) -> [DeviceUUID: Sighting] {
    try flush()
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM devices JOIN sightings ON sightings.id = (
        SELECT id FROM sightings WHERE device = devices.id ORDER BY time DESC, id DESC LIMIT 1)
      """)
    var last: [DeviceUUID: Sighting] = [:]
    while try statement.step() {
      let sighting = try read(statement)
      last[sighting.device] = sighting
    }
    return last
  }

  /// The sightings of a device from one time to another, the latter not included; oldest first.
  public func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) throws(DeviceStoreError) -> [Sighting] {
    try flush()
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM devices JOIN sightings ON device = devices.id
      WHERE uuid = ?1 AND time >= ?2 AND time < ?3 ORDER BY time, sightings.id
      """)
    statement.bind(1, uuid.bytes.span)
    statement.bind(2, start.microseconds)
    statement.bind(3, end.microseconds)
    var sightings: [Sighting] = []
    while try statement.step() { sightings.append(try read(statement)) }
    return sightings
  }

  private func read(_ statement: borrowing Statement) throws(DeviceStoreError) -> Sighting {
    Sighting(
      device: try Self.uuid(statement.bytes(0), path: database.path),
      receivedAt: Timestamp(microseconds: statement.integer(1)),
      address: BluetoothAddress(value: UInt64(bitPattern: statement.integer(2))),
      rssi: statement.optionalInteger(3).map { Int($0) }, eid: statement.bytes(6),
      period: statement.optionalInteger(4).map { UInt32(clamping: $0) },
      batteryLow: statement.optionalInteger(5).map { $0 != 0 })
  }
}
