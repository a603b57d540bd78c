public import Bluetooth
public import LunaProtocol

/// Where devices and what is learned about them are kept. Every call may come from any thread.
///
/// ``InMemoryDeviceStore`` keeps them for as long as the process lives; `LunaStore` in SQLite.
/// What a call has returned from is kept, whatever happens to the process afterwards.
public protocol DeviceStore: Sendable {
  // MARK: Devices

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

  // MARK: Clocks

  /// The clocks that were kept.
  func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState]

  /// Keeps the clocks of some devices; those of unknown devices are left out.
  func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError)

  // MARK: Control packages

  /// The next counter of control packages for a device (PROTOCOL.md, 12.1). It is kept before this
  /// returns, so that no counter is given twice.
  ///
  /// - Parameter unixTime: the owner's time, Unix s.
  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32

  // MARK: Sightings

  /// Takes note of sightings. Returns at once; they are kept a second later, or with ``flush()``.
  func record(_ sightings: [Sighting])

  /// Keeps what was recorded so far.
  func flush() async throws(DeviceStoreError)

  /// The last sighting of each device that was heard.
  func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting]

  /// The sightings of a device from one time to another, the latter not included; oldest first.
  func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting]

  // MARK: Derivations that are slow to repeat

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

// A store of one's own need not keep what only saves time.
extension DeviceStore {
  /// Keeps nothing.
  public func derivations(for key: DerivationKey) async throws(DeviceStoreError) -> [UInt8]? { nil }

  /// Keeps nothing.
  public func saveDerivations(
    _ bytes: [UInt8], for key: DerivationKey
  ) async throws(DeviceStoreError) {}

  /// Has nothing to drop.
  public func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) async throws(DeviceStoreError) {}
}
