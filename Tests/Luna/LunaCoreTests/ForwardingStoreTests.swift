import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization
import Testing

@Suite struct ForwardingStoreTests {
  /// A store whose disk comes up late.
  final class LateStore: ForwardingStore {
    let inner = InMemoryDeviceStore()
    let isThere = Mutex(false)

    func opened() throws(DeviceStoreError) -> any DeviceStore {
      guard isThere.withLock({ $0 }) else { throw DeviceStoreError(.denied, "no disk") }
      return inner
    }
  }

  /// A store of whose devices one is shared, and one in front of it.
  final class SharingStore: ForwardingStore {
    let inner = InMemoryDeviceStore()
    let shared = [Samples.uuid(1): Timestamp(microseconds: 7)]

    func opened() -> any DeviceStore { inner }
    func sharedStatus() -> [DeviceUUID: Timestamp] { shared }
  }

  final class FrontStore: ForwardingStore {
    let behind = SharingStore()

    func opened() -> any DeviceStore { behind }
  }

  @Test func itKnowsWhoseStatusIsShared() async throws {
    let front = FrontStore()
    let store: any DeviceStore = front
    #expect(try await store.sharedStatus() == front.behind.shared)
  }

  @Test func itTriesAgainToOpenWhatCouldNotBeOpened() async throws {
    let store = LateStore()
    let device = Samples.device(1)
    await #expect(throws: DeviceStoreError.self) { try await store.put(device) }
    await #expect(throws: DeviceStoreError.self) {
      try await store.record([Samples.sighting(of: device.uuid, at: 1)])
    }
    store.isThere.withLock { $0 = true }
    try await store.put(device)
    try await store.record([Samples.sighting(of: device.uuid, at: 1)])
    #expect(store.inner.allDevices() == [device])
    #expect(try await store.lastSightings().count == 1)
  }

  @Test func whatAStoreNeedNotDoIsDoneByTheOneBehind() async throws {
    let store: any DeviceStore = LateStore()
    (store as? LateStore)?.isThere.withLock { $0 = true }
    let record = PendingOnboarding(device: Samples.device(1), hint: ESF(value: 5))
    try await store.addPending(record)
    #expect(try await store.pendingOnboardings() == [record])
    #expect(try await store.promotePending(record.device.uuid, name: nil) == record.device)
    let key = DerivationKey(device: record.device.uuid, periods: PeriodRange(first: 1, last: 2))
    try await store.saveDerivations([7], for: key)
    #expect(try await store.derivations(for: key) == [7])
    try await store.dropDerivations(of: record.device.uuid, before: 3)
    #expect(try await store.derivations(for: key) == nil)
    #expect(try await !store.discardPending(record.device.uuid))
  }
}
