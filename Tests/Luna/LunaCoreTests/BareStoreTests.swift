import Bluetooth
import LunaCore
import LunaProtocol
import Testing

/// A store of somebody's own, with no more than what every store must have.
@Suite struct BareStoreTests {
  struct BareStore: DeviceStore {
    let inner = InMemoryDeviceStore()

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
    func flush() {}
    func lastSightings() -> [DeviceUUID: Sighting] { inner.lastSightings() }
    func sightings(of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp) -> [Sighting] {
      inner.sightings(of: uuid, from: start, to: end)
    }
  }

  @Test func onboardingsThatItDoesNotKeepAreRefused() async throws {
    let store: any DeviceStore = BareStore()
    let record = PendingOnboarding(device: Samples.device(1), hint: ESF(value: 5))
    await #expect(throws: DeviceStoreError.self) { try await store.addPending(record) }
    #expect(try await store.pendingOnboardings().isEmpty)
    #expect(try await store.promotePending(record.device.uuid, name: nil) == nil)
    #expect(try await !store.discardPending(record.device.uuid))
  }

  @Test func derivationsAreNotKept() async throws {
    let store: any DeviceStore = BareStore()
    let key = DerivationKey(device: Samples.uuid(1), periods: PeriodRange(first: 1, last: 2))
    try await store.saveDerivations([7], for: key)
    #expect(try await store.derivations(for: key) == nil)
  }
}
