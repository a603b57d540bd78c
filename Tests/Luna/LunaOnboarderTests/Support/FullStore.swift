import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization

/// A store on a disk that is full when it is to keep an onboarding, or to make a device of one.
final class FullStore: PendingStore {
  private let inner = InMemoryDeviceStore()
  private let refusesPending: Bool
  private let refusesPromotion: Bool

  init(pending: Bool = false, promotion: Bool = false) {
    refusesPending = pending
    refusesPromotion = promotion
  }

  private static let full = DeviceStoreError(.full, "the disk is full", hint: "free some space")

  func pendingOnboardings() -> [PendingOnboarding] { inner.pendingOnboardings() }
  func addPending(_ pending: PendingOnboarding) throws(DeviceStoreError) {
    guard !refusesPending else { throw FullStore.full }
    try inner.addPending(pending)
  }
  func promotePending(_ uuid: DeviceUUID, name: String?) throws(DeviceStoreError) -> Device? {
    guard !refusesPromotion else { throw FullStore.full }
    return inner.promotePending(uuid, name: name)
  }
  func discardPending(_ uuid: DeviceUUID) -> Bool { inner.discardPending(uuid) }
  func allDevices() -> [Device] { inner.allDevices() }
  func put(_ devices: [Device]) { inner.put(devices) }
  func rename(_ uuid: DeviceUUID, to name: String) -> Bool { inner.rename(uuid, to: name) }
  func forget(_ uuid: DeviceUUID) -> Bool { inner.forget(uuid) }
  func clockStates() -> [DeviceUUID: ClockState] { inner.clockStates() }
  func save(_ states: [DeviceUUID: ClockState]) { inner.save(states) }
  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) throws(DeviceStoreError) -> UInt32 {
    try inner.issueControlCounter(for: uuid, unixTime: unixTime)
  }
  func record(_ sightings: [Sighting]) { inner.record(sightings) }
  func flush() { inner.flush() }
  func lastSightings() -> [DeviceUUID: Sighting] { inner.lastSightings() }
  func sightings(of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp) -> [Sighting] {
    inner.sightings(of: uuid, from: start, to: end)
  }
}
