import Bluetooth
import LunaCore
import LunaProtocol
import LunaStore
import Synchronization

/// The devices on disk, opened when they are needed: what is wrong with them is told then, and it is
/// tried again the next time.
final class LazyStore: PendingStore {
  private let settings: LunaSettings
  private let file: DevicesFile
  private let store = Mutex<(name: String, store: SQLiteDeviceStore)?>(nil)

  init(_ settings: LunaSettings, _ file: DevicesFile) {
    self.settings = settings
    self.file = file
  }

  private func opened() throws(DeviceStoreError) -> SQLiteDeviceStore {
    let name = file.name
    return try store.withLock { store throws(DeviceStoreError) in
      if let store, store.name == name { return store.store }
      let new = try settings.openStore(name)
      store = (name, new)
      return new
    }
  }

  // MARK: Devices

  func allDevices() async throws(DeviceStoreError) -> [Device] { try await opened().allDevices() }

  func put(_ devices: [Device]) async throws(DeviceStoreError) { try await opened().put(devices) }

  func rename(_ uuid: DeviceUUID, to name: String) async throws(DeviceStoreError) -> Bool {
    try await opened().rename(uuid, to: name)
  }

  func forget(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await opened().forget(uuid)
  }

  // MARK: Onboardings whose end is not known

  func pendingOnboardings() async throws(DeviceStoreError) -> [PendingOnboarding] {
    try await opened().pendingOnboardings()
  }

  func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError) {
    try await opened().addPending(pending)
  }

  func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device? {
    try await opened().promotePending(uuid, name: name)
  }

  func discardPending(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool {
    try await opened().discardPending(uuid)
  }

  // MARK: Clocks and counters

  func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState] {
    try await opened().clockStates()
  }

  func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError) {
    try await opened().save(states)
  }

  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32 {
    try await opened().issueControlCounter(for: uuid, unixTime: unixTime)
  }

  // MARK: Sightings

  func record(_ sightings: [Sighting]) {
    do throws(DeviceStoreError) {
      try opened().record(sightings)
    } catch {
      settings.logger.log(.ERROR, "\(sightings.count) sightings are not kept: \(error)")
    }
  }

  func flush() async throws(DeviceStoreError) { try await opened().flush() }

  func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting] {
    try await opened().lastSightings()
  }

  func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting] {
    try await opened().sightings(of: uuid, from: start, to: end)
  }

  // MARK: Derivations

  func derivations(for key: DerivationKey) async throws(DeviceStoreError) -> [UInt8]? {
    try await opened().derivations(for: key)
  }

  func saveDerivations(_ bytes: [UInt8], for key: DerivationKey) async throws(DeviceStoreError) {
    try await opened().saveDerivations(bytes, for: key)
  }

  func dropDerivations(
    of uuid: DeviceUUID, before period: UInt32
  ) async throws(DeviceStoreError) {
    try await opened().dropDerivations(of: uuid, before: period)
  }
}
