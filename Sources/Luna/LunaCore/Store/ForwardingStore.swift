public import Bluetooth
public import LunaCrypto
public import LunaProtocol

/// A store in front of another one, to which every call goes that it does not answer itself: one that is
/// opened when it is first needed, or one that differs in a few calls.
public protocol ForwardingStore: DeviceStore {
  /// The store behind it.
  ///
  /// - Throws: why it cannot be opened. The next call tries again.
  func opened() async throws(DeviceStoreError) -> any DeviceStore
}

extension ForwardingStore {
  /// As the store behind it.
  public func allDevices() async throws(DeviceStoreError) -> [Device] {
    try await opened().allDevices()
  }

  /// As the store behind it.
  public func put(_ devices: [Device]) async throws(DeviceStoreError) {
    try await opened().put(devices)
  }

  /// As the store behind it.
  public func rename(_ uuid: DeviceUUID, to name: String) async throws(DeviceStoreError) -> Bool {
    try await opened().rename(uuid, to: name)
  }

  /// As the store behind it.
  public func forget(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await opened().forget(uuid)
  }

  /// As the store behind it.
  public func tell(_ bell: Bell) async throws(DeviceStoreError) { try await opened().tell(bell) }

  /// As the store behind it.
  public func sharedStatus() async throws(DeviceStoreError) -> [DeviceUUID: Timestamp] {
    try await opened().sharedStatus()
  }

  /// As the store behind it.
  public func unlock(with passphrase: SecretBytes) async throws(DeviceStoreError) {
    try await opened().unlock(with: passphrase)
  }

  /// As the store behind it.
  public func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState] {
    try await opened().clockStates()
  }

  /// As the store behind it.
  public func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError) {
    try await opened().save(states)
  }

  /// As the store behind it.
  public func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32 {
    try await opened().issueControlCounter(for: uuid, unixTime: unixTime)
  }

  /// As the store behind it.
  public func pendingOnboardings() async throws(DeviceStoreError) -> [PendingOnboarding] {
    try await opened().pendingOnboardings()
  }

  /// As the store behind it.
  public func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError) {
    try await opened().addPending(pending)
  }

  /// As the store behind it.
  public func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device? {
    try await opened().promotePending(uuid, name: name)
  }

  /// As the store behind it.
  @discardableResult
  public func discardPending(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await opened().discardPending(uuid)
  }

  /// As the store behind it.
  public func record(_ sightings: [Sighting]) async throws(DeviceStoreError) {
    try await opened().record(sightings)
  }

  /// As the store behind it.
  public func flush() async throws(DeviceStoreError) { try await opened().flush() }

  /// As the store behind it.
  public func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting] {
    try await opened().lastSightings()
  }

  /// As the store behind it.
  public func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting] {
    try await opened().sightings(of: uuid, from: start, to: end)
  }

  /// As the store behind it.
  public func derivations(for key: DerivationKey) async throws(DeviceStoreError) -> [UInt8]? {
    try await opened().derivations(for: key)
  }

  /// As the store behind it.
  public func saveDerivations(
    _ bytes: [UInt8], for key: DerivationKey
  ) async throws(DeviceStoreError) {
    try await opened().saveDerivations(bytes, for: key)
  }

  /// As the store behind it.
  public func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) async throws(DeviceStoreError) {
    try await opened().dropDerivations(of: uuid, before: period)
  }
}
