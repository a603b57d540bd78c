public import Bluetooth
import Diagnosis
public import LunaCrypto
public import LunaProtocol

/// Where devices and what is learned about them are kept. Every call may come from any thread.
///
/// ``InMemoryDeviceStore`` keeps them for as long as the process lives; `LunaStore` in SQLite. One that
/// does as another does but for a little, or has to be opened first, is a ``ForwardingStore``.
/// What a call has returned from is kept, whatever happens to the process afterwards.
public protocol DeviceStore: Sendable {
  /// All devices, in the order in which they were added.
  func allDevices() async throws(DeviceStoreError) -> [Device]

  /// Adds devices, or replaces those with the same uuid: all of them or, with an error, none.
  func put(_ devices: [Device]) async throws(DeviceStoreError)

  /// Gives a device another name.
  ///
  /// - Returns: false when there is no such device.
  func rename(_ uuid: DeviceUUID, to name: String) async throws(DeviceStoreError) -> Bool

  /// Removes a device and all that was kept about it.
  ///
  /// - Returns: false when there is no such device.
  func forget(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool

  /// Rings a bell after devices were added, renamed or forgotten, also by another process, for as long as somebody has
  /// the bell.
  func tell(_ bell: Bell) async throws(DeviceStoreError)

  /// The devices of which somebody else was given the status, and until when: what they say of themselves may
  /// be forged until then (SHARING.md, 1).
  func sharedStatus() async throws(DeviceStoreError) -> [DeviceUUID: Timestamp]

  /// Opens keys that are sealed under a passphrase, for as long as this store is open.
  ///
  /// - Throws: ``DeviceStoreError``, of kind `locked` when it is another passphrase.
  func unlock(with passphrase: SecretBytes) async throws(DeviceStoreError)

  /// The clocks that were kept.
  func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState]

  /// Keeps the clocks of some devices; those of unknown devices are left out.
  func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError)

  /// The next counter of control packages for a device (PROTOCOL.md, 12.1). It is kept before this
  /// returns, so that no counter is given twice.
  ///
  /// - Parameter unixTime: the owner's time, Unix s.
  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32

  // They are protected like devices, and not among them; `issueControlCounter` knows them as well.

  /// The onboardings whose end is not known, in the order in which they were added.
  func pendingOnboardings() async throws(DeviceStoreError) -> [PendingOnboarding]

  /// Adds one. It is on the disk when this returns.
  ///
  /// - Throws: ``DeviceStoreError``; of kind `failed` when a device has that uuid.
  func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError)

  /// Makes a device of one: all of it or, with an error, nothing.
  ///
  /// - Parameter name: what it is called; nil for the name on record.
  /// - Returns: the device; nil when there is no such record.
  func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device?

  /// Removes one.
  ///
  /// - Returns: false when there is no such record.
  @discardableResult
  func discardPending(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool

  /// Takes note of sightings, which are kept a second later, or with ``flush()``. Does not wait for
  /// the disk.
  func record(_ sightings: [Sighting]) async throws(DeviceStoreError)

  /// Keeps what was recorded so far.
  func flush() async throws(DeviceStoreError)

  /// The last sighting of each device that was heard.
  func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting]

  /// The sightings of a device from one time to another, the latter not included; oldest first.
  func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting]

  /// Identifiers that were derived before, as they were given to ``saveDerivations(_:for:)``.
  func derivations(for key: DerivationKey) async throws(DeviceStoreError) -> [UInt8]?

  /// Keeps derived identifiers.
  func saveDerivations(_ bytes: [UInt8], for key: DerivationKey) async throws(DeviceStoreError)

  /// Drops the derivations of a device that end before a period.
  func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) async throws(DeviceStoreError)
}

extension DeviceStore {
  /// Adds a device, or replaces the one with the same uuid.
  public func put(_ device: Device) async throws(DeviceStoreError) { try await put([device]) }
}

// What a store of one's own need not have. Not async, though what it stands for is: called from async
// code, it would be taken before a method of the store's own that is not async.

// It need not seal keys, and need not keep what only saves time.
extension DeviceStore {
  /// Nothing is sealed.
  public func unlock(with passphrase: SecretBytes) throws(DeviceStoreError) {}

  /// Keeps nothing.
  public func derivations(for key: DerivationKey) throws(DeviceStoreError) -> [UInt8]? { nil }

  /// Keeps nothing.
  public func saveDerivations(
    _ bytes: [UInt8], for key: DerivationKey
  ) throws(DeviceStoreError) {}

  /// Has nothing to drop.
  public func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) throws(DeviceStoreError) {}
}

// One from which nothing is shared.
extension DeviceStore {
  /// Has none.
  public func sharedStatus() throws(DeviceStoreError) -> [DeviceUUID: Timestamp] { [:] }
}

// One that is used by one process, which adds devices through `LunaOnboarder` only, has nothing to tell.
extension DeviceStore {
  /// Never rings.
  public func tell(_ bell: Bell) throws(DeviceStoreError) {}
}

// One with which nothing is onboarded need not keep onboardings: the tracker gets nothing that it could
// not keep.
extension DeviceStore {
  /// Has none.
  public func pendingOnboardings() throws(DeviceStoreError) -> [PendingOnboarding] { [] }

  /// Refuses it, before the tracker gets its keys.
  public func addPending(_ pending: PendingOnboarding) throws(DeviceStoreError) {
    throw DeviceStoreError(
      .failed, "this store does not keep onboardings whose end is not known",
      remedy: "implement addPending and what belongs to it in \(String(describing: Self.self))")
  }

  /// Has none.
  public func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) throws(DeviceStoreError) -> Device? { nil }

  /// Has none.
  @discardableResult
  public func discardPending(_ uuid: DeviceUUID) throws(DeviceStoreError) -> Bool { false }
}
