import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization

/// A store that keeps sightings only when a test lets it.
final class SlowStore: DeviceStore {
  private let store: InMemoryDeviceStore
  private let (gate, opening) = AsyncStream.makeStream(of: Void.self)
  private let (asked, asking) = AsyncStream.makeStream(of: Void.self)
  private let kept = Mutex(0)

  init(_ devices: [Device]) { store = InMemoryDeviceStore(devices: devices) }

  /// How often something was kept.
  var count: Int { kept.withLock(\.self) }

  /// Returns when somebody waits for it.
  func isAsked() async { for await _ in asked { return } }

  /// Lets everybody go on.
  func open() { opening.finish() }

  func record(_ sightings: [Sighting]) async throws(DeviceStoreError) {
    asking.yield()
    for await _ in gate {}
    kept.withLock { $0 += 1 }
  }

  func allDevices() async throws(DeviceStoreError) -> [Device] { store.allDevices() }
  func put(_ devices: [Device]) async throws(DeviceStoreError) { store.put(devices) }
  func rename(_ uuid: DeviceUUID, to name: String) async throws(DeviceStoreError) -> Bool { false }
  func forget(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool { false }
  func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState] { [:] }
  func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError) {}
  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) async throws(DeviceStoreError) -> UInt32 { 0 }
  func flush() async throws(DeviceStoreError) {}
  func lastSightings() async throws(DeviceStoreError) -> [DeviceUUID: Sighting] { [:] }
  func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> [Sighting] { [] }
}
