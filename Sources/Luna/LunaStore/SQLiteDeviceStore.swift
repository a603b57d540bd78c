import SQLite
import Bluetooth
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol

/// The one user of a database connection: opens it, and does one thing after the other.
actor StoreConnection {
  let database: Database
  /// How the keys are sealed, as far as this process knows.
  var sealing: Sealing?
  /// The key under which the devices' keys are sealed; nil when they are not, or it is not known.
  var key: SecretBytes?
  let sightingLimit: Int64
  /// The rows of devices, as they were when sightings were written last.
  var knownRows: KnownRows?
  private let lock: UseLock
  private let queue = StoreQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(
    directory: StateDirectory, fileName: String, sightingLimit: Int64, patience: Duration,
    passphrase: SQLiteDeviceStore.PassphraseSource
  ) throws(DeviceStoreError) {
    let path = "\(directory.path)/\(fileName)"
    try directory.create(for: fileName)
    // Also while it is made and migrated nobody else comes in.
    let lock = try UseLock(path: path + ".lock")
    try directory.secure(fileName)
    let wasLeftOpen = lock.isFirst && StoreConnection.hasContents(path + "-wal")
    let database = try Database(path: path, patience: patience)
    database.keepLog(true)
    // Reads the header; what is no database of ours is recognised before anything is written.
    _ = try Migration.devices.check(database)
    if wasLeftOpen { try StoreConnection.checkContents(of: database) }
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;
      PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 16777216;
      """)
    try Migration.devices.run(on: database)
    database.keepLog(false)
    lock.share()
    sealing = try Sealing(readFrom: database)
    key = try sealing.flatMap { sealing throws(DeviceStoreError) in
      try StoreConnection.unlock(sealing, passphrase, path)
    }
    self.database = database
    self.lock = lock
    self.sightingLimit = max(1, sightingLimit)
  }

  /// A process that ended without closing the store leaves what it had not moved into the file.
  private static func hasContents(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  private static func checkContents(of database: borrowing Database) throws(DeviceStoreError) {
    let statement = try database.prepare("PRAGMA quick_check(1)")
    guard try statement.step() else { return }
    let answer = statement.text(0)
    if answer != "ok" { throw .damaged(database.path, answer) }
  }

  // MARK: Sealing

  /// Asks for the passphrase.
  private static func unlock(
    _ sealing: Sealing, _ passphrase: SQLiteDeviceStore.PassphraseSource, _ path: String
  ) throws(DeviceStoreError) -> SecretBytes? {
    guard let passphrase = try passphrase() else { return nil }
    do throws(CryptoError) {
      if let key = try sealing.open(with: passphrase) { return key }
    } catch {
      throw DeviceStoreError(error)
    }
    throw .wrongPassphrase(path)
  }

  /// Whether the keys are sealed now; another process may have changed it.
  func isSealed() throws(DeviceStoreError) -> Bool { try Sealing(readFrom: database) != nil }

  /// The key under which keys are sealed at present; nil when they are not.
  ///
  /// - Throws: `locked` when they are sealed and it is not known.
  func currentKey() throws(DeviceStoreError) -> SecretBytes? {
    let present = try Sealing(readFrom: database)
    if present?.sealedKey == sealing?.sealedKey {
      if present != nil, key == nil { throw .locked(database.path) }
      return key
    }
    guard present != nil else {
      sealing = nil
      key = nil
      return nil
    }
    throw sealing == nil && key == nil ? .locked(database.path) : .resealed(database.path)
  }

  func seal(under passphrase: SecretBytes, work: Scrypt) throws(DeviceStoreError) {
    let fresh: SecretBytes
    let sealing: Sealing
    do throws(CryptoError) {
      fresh = try SecureRandom.secret(count: AES256GCM.keyCount)
      sealing = try Sealing(fresh, under: passphrase, work: work)
    } catch {
      throw DeviceStoreError(error)
    }
    try database.transaction { () throws(DeviceStoreError) in
      let key = try currentKey()
      let devices = try readDevices(openingWith: key)
      let pending = try readPending(openingWith: key)
      try sealing.write(to: database)
      try write(devices, sealingWith: fresh)
      try write(pending, sealingWith: fresh)
    }
    self.sealing = sealing
    key = fresh
    try removeTraces()
  }

  func unseal() throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let key = try currentKey()
      let devices = try readDevices(openingWith: key)
      let pending = try readPending(openingWith: key)
      try database.execute("DELETE FROM sealing")
      try write(devices, sealingWith: nil)
      try write(pending, sealingWith: nil)
    }
    sealing = nil
    key = nil
  }

  /// What was overwritten is zeroed in the file already; the log still has older pages.
  private func removeTraces() throws(DeviceStoreError) {
    try database.execute("VACUUM")
    // Waits for readers; when one stays, the log is emptied by whoever closes the store last.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
