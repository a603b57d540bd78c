public import Bluetooth
public import LunaCore
public import LunaCrypto
public import LunaProtocol

/// Keeps devices and what is learned about them in a file that several processes may use at once.
///
/// The file is SQLite in WAL mode with full synchronisation: what a call has returned from is still
/// there after `kill -9`, a power cut and on a full disk. It and its directory are for their owner
/// alone, and the keys in it can be sealed under a passphrase besides (``seal(under:)``).
public final class SQLiteDeviceStore: PendingStore {
  /// The name of the file.
  public static let defaultFileName = "luna-finder-memory-devices.data"

  /// Gives the passphrase of a store that is sealed, or nil when there is none to be had. Called on
  /// opening, and only when it is needed.
  public typealias PassphraseSource = @Sendable () throws(DeviceStoreError) -> SecretBytes?

  /// Where the file is.
  public let path: String

  private let connection: StoreConnection
  private let sightings: SightingQueue

  /// Opens a store, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - sightingLimit: how many sightings are kept; the oldest go first.
  ///   - patience: how long a call waits for other processes, whole seconds.
  ///   - logger: is told of sightings that could not be kept.
  ///   - passphrase: asked when the keys are sealed. Without one the store opens all the same, and
  ///     what needs keys throws `locked`.
  /// - Throws: ``DeviceStoreError`` when it cannot be made or opened, is damaged, was written by a
  ///   newer version, or the passphrase is not the one. A damaged store is not changed.
  public init(
    in directory: StateDirectory, fileName: String = defaultFileName,
    sightingLimit: Int64 = 1_000_000, patience: Duration = .seconds(10),
    logger: any Logger = ConsoleLogger(level: .ERROR), passphrase: PassphraseSource = { nil }
  ) throws(DeviceStoreError) {
    path = "\(directory.path)/\(fileName)"
    connection = try StoreConnection(
      directory: directory, fileName: fileName, sightingLimit: sightingLimit, patience: patience,
      passphrase: passphrase)
    sightings = SightingQueue(connection, logger)
  }

  // MARK: Devices

  /// All devices, in the order in which they were added.
  public func allDevices() async throws(DeviceStoreError) -> [Device] {
    try await connection.allDevices()
  }

  /// Adds devices, or replaces those with the same uuid: all of them or, with an error, none.
  public func put(_ devices: [Device]) async throws(DeviceStoreError) {
    try await connection.put(devices)
  }

  /// Gives a device another name.
  ///
  /// - Returns: false when there is no such device.
  public func rename(
    _ uuid: DeviceUUID, to name: String
  ) async throws(DeviceStoreError) -> Bool {
    try await connection.rename(uuid, to: name)
  }

  /// Removes a device and all that was kept about it.
  ///
  /// - Returns: false when there is no such device.
  public func forget(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await connection.forget(uuid)
  }

  // MARK: Onboardings whose end is not known

  /// The onboardings whose end is not known, in the order in which they were added.
  public func pendingOnboardings() async throws(DeviceStoreError) -> [PendingOnboarding] {
    try await connection.pendingOnboardings()
  }

  /// Adds one. It is on the disk when this returns.
  ///
  /// - Throws: ``DeviceStoreError``; of kind `failed` when a device has that uuid.
  public func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError) {
    try await connection.addPending(pending)
  }

  /// Makes a device of one, in one transaction.
  ///
  /// - Returns: the device; nil when there is no such record.
  public func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device? {
    try await connection.promotePending(uuid, name: name)
  }

  /// Removes one.
  ///
  /// - Returns: false when there is no such record.
  @discardableResult
  public func discardPending(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await connection.discardPending(uuid)
  }

  // MARK: Sealing

  /// Whether the keys are sealed under a passphrase.
  public func isSealed() async throws(DeviceStoreError) -> Bool {
    try await connection.isSealed()
  }

  /// Seals the keys under a passphrase, or under another one (scrypt and AES-256-GCM). No trace of
  /// unsealed keys is left in the file.
  ///
  /// - Parameter work: how costly a guess is made.
  public func seal(
    under passphrase: SecretBytes, work: Scrypt = .interactive
  ) async throws(DeviceStoreError) {
    try await connection.seal(under: passphrase, work: work)
  }

  /// Keeps the keys as they are again, protected by the mode of the file alone.
  public func unseal() async throws(DeviceStoreError) { try await connection.unseal() }

  // MARK: Clocks and counters

  /// The clocks that were kept.
  public func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState] {
    try await connection.clockStates()
  }

  /// Keeps the clocks of some devices; those of unknown devices are left out.
  public func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError) {
    try await connection.save(states)
  }

  /// The next counter of control packages for a device, kept before this returns.
  public func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32 {
    try await connection.issueControlCounter(for: uuid, unixTime: unixTime)
  }

  // MARK: Sightings

  /// Takes note of sightings. They are written when 1,000 are waiting, after a second, or with
  /// ``flush()``; those of unknown devices are left out then.
  ///
  /// As long as they cannot be written, the last 65,536 wait.
  public func record(_ sightings: [Sighting]) { self.sightings.append(sightings) }

  /// Keeps what was recorded so far.
  public func flush() async throws(DeviceStoreError) { try await connection.drain(sightings) }

  /// The last sighting of each device that was heard.
  public func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting] {
    try await flush()
    return try await connection.lastSightings()
  }

  /// The sightings of a device from one time to another, the latter not included; oldest first.
  public func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting] {
    try await flush()
    return try await connection.sightings(of: uuid, from: start, to: end)
  }

  // MARK: Derivations

  /// Identifiers that were derived before.
  public func derivations(for key: DerivationKey) async throws(DeviceStoreError) -> [UInt8]? {
    try await connection.derivations(for: key)
  }

  /// Keeps derived identifiers of a device that is known.
  public func saveDerivations(
    _ bytes: [UInt8], for key: DerivationKey
  ) async throws(DeviceStoreError) {
    try await connection.saveDerivations(bytes, for: key)
  }

  /// Drops the derivations of a device that end before a period.
  public func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) async throws(DeviceStoreError) {
    try await connection.dropDerivations(of: uuid, before: period)
  }
}
