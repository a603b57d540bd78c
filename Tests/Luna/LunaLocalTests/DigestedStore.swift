import LunaCore
import LunaProtocol
import LunaTesting

/// A store that says whether its devices have changed when a test says so, and counts what is asked of it.
final class DigestedStore: ForwardingStore, DeviceDigests {
  struct Counts: Sendable {
    var digest = 0
    /// How often the devices were read.
    var readings = 0
    /// How often the clocks were.
    var clockReadings = 0
  }

  let inner: InMemoryDeviceStore
  let counts = Watched(Counts())

  init(_ devices: [Device]) { inner = InMemoryDeviceStore(devices: devices) }

  func opened() async throws(DeviceStoreError) -> any DeviceStore { inner }

  func deviceDigest() async throws(DeviceStoreError) -> Int? { counts.value.digest }

  func allDevices() async throws(DeviceStoreError) -> [Device] {
    counts.withLock { $0.readings += 1 }
    return inner.allDevices()
  }

  func clockStates() async throws(DeviceStoreError) -> [DeviceUUID: ClockState] {
    counts.withLock { $0.clockReadings += 1 }
    return inner.clockStates()
  }
}
