import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

struct InMemoryDeviceStoreTests {
  private let device = Samples.device(1)

  @Test func keepsDevicesInTheirOrder() {
    let store = InMemoryDeviceStore(devices: [device])
    var renamed = device
    renamed.name = "bicycle"
    store.put([Samples.device(2), renamed])
    #expect(store.allDevices() == [renamed, Samples.device(2)])
    #expect(store.rename(device.uuid, to: "bag"))
    #expect(store.allDevices().first?.name == "bag")
    #expect(!store.rename(Samples.uuid(9), to: "nobody"))
  }

  @Test func forgetsEverythingOfADevice() throws {
    let store = InMemoryDeviceStore(devices: [device])
    let key = DerivationKey(device: device.uuid, periods: PeriodRange(first: 1, last: 2))
    store.save([device.uuid: ClockState(interval: ClockInterval(onboardingTimestamp: 7))])
    store.record([Samples.sighting(of: device.uuid, at: 5)])
    store.saveDerivations([1, 2], for: key)
    _ = try store.issueControlCounter(for: device.uuid, unixTime: 9)
    #expect(store.forget(device.uuid))
    #expect(!store.forget(device.uuid))
    store.put([device])
    #expect(store.clockStates().isEmpty)
    #expect(store.lastSightings().isEmpty)
    #expect(store.derivations(for: key) == nil)
    #expect(try store.issueControlCounter(for: device.uuid, unixTime: 3) == 3)
  }

  @Test func givesNoCounterTwice() throws {
    let store = InMemoryDeviceStore(devices: [device])
    #expect(try store.issueControlCounter(for: device.uuid, unixTime: 100) == 100)
    #expect(try store.issueControlCounter(for: device.uuid, unixTime: 50) == 101)
    #expect(try store.issueControlCounter(for: device.uuid, unixTime: .max) == .max - 1)
    #expect(throws: DeviceStoreError.exhaustedCounter(device.uuid)) {
      try store.issueControlCounter(for: device.uuid, unixTime: .max)
    }
    #expect(throws: DeviceStoreError.unknownDevice(Samples.uuid(9))) {
      try store.issueControlCounter(for: Samples.uuid(9), unixTime: 1)
    }
  }

  @Test func keepsTheLastSightings() {
    let store = InMemoryDeviceStore(devices: [device], sightingsPerDevice: 10)
    for time in 0..<35 { store.record([Samples.sighting(of: device.uuid, at: Int64(time))]) }
    store.record([Samples.sighting(of: Samples.uuid(9), at: 99)])
    let all = store.sightings(
      of: device.uuid, from: Timestamp(microseconds: 0), to: Timestamp(microseconds: .max))
    #expect(all.map(\.receivedAt.microseconds) == Array(25..<35))
    #expect(store.lastSightings() == [device.uuid: Samples.sighting(of: device.uuid, at: 34)])
  }

  @Test func serialisesItsCallers() async throws {
    let store = InMemoryDeviceStore(devices: [device])
    let counters = try await withThrowingTaskGroup(of: UInt32.self) { group in
      for _ in 0..<200 {
        group.addTask { try store.issueControlCounter(for: device.uuid, unixTime: 1) }
      }
      return try await group.reduce(into: Set<UInt32>()) { $0.insert($1) }
    }
    #expect(counters == Set(1...200))
  }

  /// What holders of `any DeviceStore` see, with the default implementations.
  @Test func servesBehindTheProtocol() async throws {
    let store: any DeviceStore = InMemoryDeviceStore()
    try await store.put(device)
    #expect(try await store.allDevices() == [device])
    #expect(try await store.issueControlCounter(for: device.uuid, unixTime: 4) == 4)
  }
}
