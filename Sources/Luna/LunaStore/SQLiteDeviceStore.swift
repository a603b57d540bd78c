import Bluetooth
import EventLoop
import Glibc
public import LunaCore
public import LunaCrypto
import LunaProtocol
import SQLite

/// Keeps devices and what is learned about them in a file that several processes may use at once.
///
/// The file is SQLite in WAL mode with full synchronisation: what a call has returned from is still
/// there after `kill -9`, a power cut and on a full disk. It and its directory are for their owner
/// alone, and the keys in it can be sealed under a passphrase besides (``seal(under:work:)``).
public actor SQLiteDeviceStore: DeviceStore {
  /// The name of the file.
  public static let defaultFileName = "luna-finder-memory-devices.data"

  /// Gives the passphrase of a store that is sealed, or nil when there is none to be had. Called on
  /// opening, and only when it is needed.
  public typealias PassphraseSource = @Sendable () throws(DeviceStoreError) -> SecretBytes?

  /// Where the file is.
  public nonisolated let path: String

  let database: Database
  /// How the keys are sealed, as far as this process knows.
  var sealing: Sealing?
  /// The key under which the devices' keys are sealed; nil when they are not, or it is not known.
  var key: SecretBytes?
  let sightingLimit: Int64
  /// The rows of devices, as they were when sightings were written last.
  var knownRows: KnownRows?
  /// Whether sightings could not be written the last time, which was told then.
  var keepsNoSightings = false
  /// Rings when devices were added.
  nonisolated let rope = BellRope()
  /// Looks whether other processes have written, while somebody wants to know.
  var newsWatch: Task<Void, Never>?
  var dataVersion: Int64?
  private let lock: UseLock
  private let blocking = Blocking(name: "luna.store")
  nonisolated let waiting = SightingQueue()
  nonisolated let logger: any Logger

  /// Waiting for the disk keeps nobody else's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    blocking.asUnownedSerialExecutor()
  }

  /// Opens a store, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - sightingLimit: how many sightings are kept; the oldest go first.
  ///   - patience: how long a call waits for other processes, whole seconds.
  ///   - logger: is told of sightings that could not be kept.
  ///   - passphrase: asked when the keys are sealed. Without one the store opens all the same, and
  ///     what needs keys throws `locked`.
  /// - Throws: ``LunaCore/DeviceStoreError`` when it cannot be made or opened, is damaged, was written
  ///   by a newer version, or the passphrase is not the one. A damaged store is not changed.
  public init(
    in directory: StateDirectory, fileName: String = defaultFileName,
    sightingLimit: Int64 = 1_000_000, patience: Duration = .seconds(10),
    logger: any Logger = ConsoleLogger(level: .ERROR), passphrase: PassphraseSource = { nil }
  ) throws(DeviceStoreError) {
    let place = try directory.place(of: fileName)
    let path = place.path
    // Also while it is made and migrated nobody else comes in.
    let lock = try UseLock(path: path + ".lock")
    if lock.isFirst, let damage = LogWatch.damageLeft(at: place) { throw .damaged(path, damage) }
    try StateDirectory.secure(place)
    let wasLeftOpen = lock.isFirst && SQLiteDeviceStore.hasContents(path + "-wal")
    let database = try Database(at: place, patience: patience, watch: LogWatch(place))
    database.keepLog(true)
    // Reads the header; what is no database of ours is recognised before anything is written.
    _ = try Migration.devices.check(database)
    if wasLeftOpen { try SQLiteDeviceStore.checkContents(of: database) }
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;
      PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 16777216;
      """)
    try Migration.devices.run(on: database)
    do throws(DeviceStoreError) {
      _ = try SQLiteDeviceStore.wipeEndedShares(at: Int64(time(nil)), database)
    } catch {
      // Reading needs neither room nor a turn; the next one who opens it wipes them.
      guard error.kind == .busy || error.kind == .full else { throw error }
    }
    // A log that is taken away before anything is written is noticed as well.
    try database.checkPlace()
    database.keepLog(false)
    lock.share()
    sealing = try Sealing(readFrom: database)
    key = try sealing.flatMap { sealing throws(DeviceStoreError) in
      try SQLiteDeviceStore.unlock(sealing, passphrase, path)
    }
    self.path = path
    self.logger = logger
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
    if let damage = try database.damage() { throw .damaged(database.path, damage) }
  }

  /// Asks for the passphrase.
  private static func unlock(
    _ sealing: Sealing, _ passphrase: PassphraseSource, _ path: String
  ) throws(DeviceStoreError) -> SecretBytes? {
    guard let passphrase = try passphrase() else { return nil }
    do throws(CryptoError) {
      if let key = try sealing.open(with: passphrase) { return key }
    } catch {
      throw DeviceStoreError(error)
    }
    throw .wrongPassphrase(path)
  }

  /// Whether the keys are sealed under a passphrase; another process may have changed it.
  public func isSealed() throws(DeviceStoreError) -> Bool { try Sealing(readFrom: database) != nil }

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

  /// Opens the keys with the passphrase that they are sealed under, for as long as this store is open. It takes
  /// the time that a guess is to cost.
  ///
  /// - Throws: ``LunaCore/DeviceStoreError``, of kind `locked` when it is another passphrase.
  public func unlock(with passphrase: SecretBytes) throws(DeviceStoreError) {
    guard let present = try Sealing(readFrom: database) else { return }
    key = try SQLiteDeviceStore.unlock(present, { passphrase }, database.path)
    sealing = present
    rope.pull()
  }

  /// Seals the keys under a passphrase, or under another one (scrypt and AES-256-GCM). No trace of
  /// unsealed keys is left in the file.
  ///
  /// - Parameter work: how costly a guess is made.
  /// - Throws: also when they are sealed and only traces could not be removed, as on a full disk: the error says so.
  public func seal(
    under passphrase: SecretBytes, work: Scrypt = .interactive
  ) throws(DeviceStoreError) {
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
      let card = try readContactKey(openingWith: key)
      try sealing.write(to: database)
      try write(devices, sealingWith: fresh)
      try write(pending, sealingWith: fresh)
      try write(card, sealingWith: fresh)
    }
    self.sealing = sealing
    key = fresh
    do throws(DeviceStoreError) {
      try removeTraces()
    } catch {
      throw .sealedWithTraces(database.path, error)
    }
  }

  /// Keeps the keys as they are again, protected by the mode of the file alone.
  public func unseal() throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let key = try currentKey()
      let devices = try readDevices(openingWith: key)
      let pending = try readPending(openingWith: key)
      let card = try readContactKey(openingWith: key)
      try database.execute("DELETE FROM sealing")
      try write(devices, sealingWith: nil)
      try write(pending, sealingWith: nil)
      try write(card, sealingWith: nil)
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
