import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

/// A disk that is really full: nothing that was acknowledged is lost, and once there is room all goes
/// on.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
  private struct Quiet: Logger {
    let level = LogLevel.ERROR
    func write(_ level: LogLevel, _ message: String) {}
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func whatWasAcknowledgedStaysAndTheRestIsTried() async throws {
    let disk = try #require(SmallDisk())
    let state = StateDirectory(path: disk.path + "/luna")
    let store = try SQLiteDeviceStore(in: state, logger: Quiet())
    var kept: [DeviceUUID] = []
    try await store.put(Samples.device(1))
    kept.append(Samples.uuid(1))
    try disk.fill()
    let error = await storeError {
      for number in UInt8(2)...200 {
        try await store.put(Samples.device(number, name: String(repeating: "n", count: 3000)))
        kept.append(Samples.uuid(UInt64(number)))
      }
    }
    #expect(error?.kind == .full, "\(String(describing: error))")
    #expect(error?.remedy?.description.contains("free some space") == true)
    #expect(try await store.allDevices().map(\.uuid) == kept)
    store.record((0..<500).map { Samples.sighting(of: Samples.uuid(1), at: $0) })
    #expect(await storeError { try await store.flush() }?.kind == .full)
    let clock = ClockState(interval: ClockInterval(low: -1, high: 1, time: 42))
    #expect(
      await storeError { try await store.save([Samples.uuid(1): clock]) }?.kind == .full)
    // Another process comes meanwhile: it sees what was kept, or is told why not.
    let other = await storeError {
      let devices = try await SQLiteDeviceStore(in: state, logger: Quiet()).allDevices()
      #expect(devices.map(\.uuid) == kept)
    }
    #expect(other == nil || other?.kind == .full, "\(String(describing: other))")
    try disk.free()
    try await store.put(Samples.device(201))
    kept.append(Samples.uuid(201))
    // Sightings have waited for better times.
    try await store.flush()
    #expect(
      try await store.sightings(
        of: Samples.uuid(1), from: Timestamp(microseconds: 0), to: Timestamp(microseconds: 500)
      ).count == 500)
    let again = try SQLiteDeviceStore(in: state, logger: Quiet())
    #expect(try await again.allDevices().map(\.uuid) == kept)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func aStoreThatCannotBeMadeIsNamed() async throws {
    let disk = try #require(SmallDisk())
    try disk.fill()
    let state = StateDirectory(path: disk.path + "/luna")
    let error = await storeError { _ = try SQLiteDeviceStore(in: state, logger: Quiet()) }
    #expect(error?.kind == .full, "\(String(describing: error))")
    try disk.free()
    let store = try SQLiteDeviceStore(in: state, logger: Quiet())
    try await store.put(Samples.device(1))
    #expect(try await store.allDevices().count == 1)
  }
}
