import Bluetooth
public import LunaCore
import LunaCrypto
public import LunaProtocol
import SQLite

extension SQLiteDeviceStore {
  /// All devices, in the order in which they were added.
  public func allDevices() throws(DeviceStoreError) -> [Device] {
    // One view of devices and sealing.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let count = try database.integer("SELECT count(*) FROM devices")
    return count == 0 ? [] : try readDevices(openingWith: try currentKey())
  }

  func readDevices(openingWith key: SecretBytes?) throws(DeviceStoreError) -> [Device] {
    let statement = try database.prepare(
      "SELECT uuid, name, kind, onboarded, unauthenticated, keys, firmware FROM devices ORDER BY id"
    )
    var devices: [Device] = []
    while try statement.step() {
      devices.append(try readDevice(statement, openingWith: key))
    }
    return devices
  }

  /// The device of a row whose first seven columns are those of ``bind(_:to:sealingWith:)``.
  func readDevice(
    _ statement: borrowing Statement, openingWith key: SecretBytes?
  ) throws(DeviceStoreError) -> Device {
    let uuid = try Self.uuid(statement.bytes(0), path: database.path)
    guard var device = try read(statement, uuid, openingWith: key) else {
      throw .damaged(database.path, "the keys of \(uuid) cannot be read")
    }
    device.firmware = statement.optionalInteger(6).map { UInt16(truncatingIfNeeded: $0) }
    return device
  }

  /// Adds devices, or replaces those with the same uuid: all of them or, with an error, none.
  public func put(_ devices: [Device]) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      try write(devices, sealingWith: try currentKey())
    }
    rope.pull()
  }

  /// Part of a transaction.
  func write(_ devices: [Device], sealingWith key: SecretBytes?) throws(DeviceStoreError) {
    let statement = try database.prepare(
      """
      INSERT INTO devices(uuid, name, kind, onboarded, unauthenticated, keys, firmware)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(uuid) DO UPDATE SET
      name = ?2, kind = ?3, onboarded = ?4, unauthenticated = ?5, keys = ?6,
      firmware = coalesce(?7, firmware)
      """)
    for device in devices {
      try bind(device, to: statement, sealingWith: key)
      try statement.run()
    }
  }

  /// Binds the first seven parameters: uuid, name, kind, onboarded, unauthenticated, keys, firmware.
  func bind(
    _ device: Device, to statement: borrowing Statement, sealingWith key: SecretBytes?
  ) throws(DeviceStoreError) {
    var keys = KeyCoding.encode(device.keys)
    defer { wipe(&keys) }
    statement.bind(1, device.uuid.bytes.span)
    statement.bind(2, device.name)
    statement.bind(3, device.keys.kind.rawValue)
    statement.bind(4, device.onboardingTimestamp.microseconds)
    statement.bind(5, device.isUnauthenticated ? 1 : 0)
    let stored: [UInt8]
    do throws(CryptoError) {
      stored = try StoredKeys.protect(keys, of: device, under: key)
    } catch {
      throw DeviceStoreError(error)
    }
    statement.bind(6, stored.span)
    statement.bind(7, device.firmware.map { Int64($0) })
  }

  /// Gives a device another name.
  ///
  /// - Returns: false when there is no such device.
  public func rename(_ uuid: DeviceUUID, to name: String) throws(DeviceStoreError) -> Bool {
    defer { rope.pull() }
    return try database.transaction { () throws(DeviceStoreError) in
      let statement = try database.prepare("UPDATE devices SET name = ?2 WHERE uuid = ?1")
      statement.bind(1, uuid.bytes.span)
      statement.bind(2, name)
      try statement.run()
      return database.changes > 0
    }
  }

  /// Removes a device and all that was kept about it.
  ///
  /// - Returns: false when there is no such device.
  public func forget(_ uuid: DeviceUUID) throws(DeviceStoreError) -> Bool {
    defer { rope.pull() }
    return try database.transaction { () throws(DeviceStoreError) in
      for sql in [
        "DELETE FROM sightings WHERE device = (SELECT id FROM devices WHERE uuid = ?)",
        "DELETE FROM devices WHERE uuid = ?",
      ] {
        let statement = try database.prepare(sql)
        statement.bind(1, uuid.bytes.span)
        try statement.run()
      }
      return database.changes > 0
    }
  }

  /// The next counter of control packages for a device, kept before this returns.
  ///
  /// - Parameter unixTime: the owner's time, Unix s.
  public func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) throws(DeviceStoreError) -> UInt32 {
    try database.transaction { () throws(DeviceStoreError) in
      // The tracker of an onboarding whose end is not known is asked with them as well.
      let reading = try database.prepare(
        """
        SELECT counter, 'devices' FROM devices WHERE uuid = ?1
        UNION ALL SELECT counter, 'pending' FROM pending WHERE uuid = ?1
        """)
      reading.bind(1, uuid.bytes.span)
      guard try reading.step() else { throw .unknownDevice(uuid) }
      let last = UInt32(clamping: reading.integer(0))
      let table = reading.text(1)
      guard let counter = ControlCounter.next(after: last, unixTime: unixTime) else {
        throw .exhaustedCounter(uuid)
      }
      let writing = try database.prepare("UPDATE \(table) SET counter = ?2 WHERE uuid = ?1")
      writing.bind(1, uuid.bytes.span)
      writing.bind(2, Int64(counter))
      try writing.run()
      return counter
    }
  }

  static func uuid(_ bytes: [UInt8], path: String) throws(DeviceStoreError) -> DeviceUUID {
    guard bytes.count == DeviceUUID.byteCount, let uuid = DeviceUUID(bytes.span) else {
      throw .damaged(path, "a uuid has \(bytes.count) bytes")
    }
    return uuid
  }

  /// - Returns: nil when the keys are not those that were stored with this row.
  private func read(
    _ statement: borrowing Statement, _ uuid: DeviceUUID, openingWith key: SecretBytes?
  ) throws(DeviceStoreError) -> Device? {
    guard let kind = DeviceKind(rawValue: statement.text(2)) else { return nil }
    let onboarded = Timestamp(microseconds: statement.integer(3))
    let isUnauthenticated = statement.integer(4) != 0
    let context = StoredKeys.context(uuid, kind, onboarded, isUnauthenticated)
    do throws(CryptoError) {
      guard
        var bytes = try StoredKeys.open(statement.bytes(5), context: context, under: key)
      else { return nil }
      defer { wipe(&bytes) }
      guard let keys = KeyCoding.decode(bytes, kind: kind) else { return nil }
      return Device(
        uuid: uuid, keys: keys, onboardingTimestamp: onboarded, name: statement.text(1),
        isUnauthenticated: isUnauthenticated)
    } catch {
      throw DeviceStoreError(error)
    }
  }
}
