import Bluetooth
import Diagnosis
import Foundation
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

struct SQLiteDeviceStoreTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func keepsDevicesOfEveryKind() async throws {
    let devices = Samples.oneOfEach(alignedAt: Timestamp(microseconds: -5))
    #expect(devices.count == 8)
    try await place.store().put(devices)
    #expect(try await place.store().allDevices() == devices)
  }

  @Test(.timeLimit(.minutes(10)))
  func tellsThatADeviceCame() async throws {
    let (store, other) = (try place.store(), try place.store())
    let bell = Bell()
    await store.tell(bell)
    try await store.put([Samples.device(1)])
    await bell.wait(for: .seconds(3600))
    // As another process does it.
    try await other.put([Samples.device(2)])
    await bell.wait(for: .seconds(3600))
    #expect(try await store.allDevices().count == 2)
  }

  @Test func replacesRenamesAndForgets() async throws {
    let store = try place.store()
    try await store.put([Samples.device(1), Samples.device(2)])
    try await store.put(Samples.device(1, name: "bag"))
    #expect(try await store.allDevices().map(\.name) == ["bag", "device 2"])
    #expect(try await store.rename(Samples.uuid(2), to: "bicycle"))
    #expect(try await !store.rename(Samples.uuid(3), to: "nobody"))
    #expect(try await store.forget(Samples.uuid(1)))
    #expect(try await !store.forget(Samples.uuid(1)))
    #expect(try await store.allDevices().map(\.name) == ["bicycle"])
  }

  @Test func forgetsEverythingOfADevice() async throws {
    let store = try place.store()
    let uuid = Samples.uuid(1)
    let key = DerivationKey(device: uuid, periods: PeriodRange(first: 1, last: 2))
    try await store.put(Samples.device(1))
    try await store.save([uuid: ClockState(interval: ClockInterval(onboardingTimestamp: 7))])
    store.record([Samples.sighting(of: uuid, at: 5)])
    try await store.flush()
    try await store.saveDerivations([1], for: key)
    _ = try await store.issueControlCounter(for: uuid, unixTime: 9)
    _ = try await store.forget(uuid)
    try await store.put(Samples.device(1))
    #expect(try await store.clockStates().isEmpty)
    #expect(try await store.lastSightings().isEmpty)
    #expect(try await store.derivations(for: key) == nil)
    #expect(try await store.issueControlCounter(for: uuid, unixTime: 3) == 3)
  }

  @Test func isForItsOwnerAlone() async throws {
    let store = try place.store()
    try await store.put(Samples.device(1))
    #expect(try place.mode(place.path + "/state") == 0o700)
    #expect(try place.mode(place.state.path) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.state.path)
    #expect(files.count == 4, "database, -wal, -shm and lock: \(files)")
    for file in files { #expect(try place.mode("\(place.state.path)/\(file)") == 0o600, "\(file)") }
  }

  @Test func takesRightsFromOthers() async throws {
    try await place.store().put(Samples.device(1))
    for (path, mode) in [(place.file, 0o644), (place.state.path, 0o755)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    _ = try place.store()
    #expect(try place.mode(place.file) == 0o600)
    #expect(try place.mode(place.state.path) == 0o700)
  }

  /// `--state /tmp` must not close /tmp.
  @Test func leavesASharedDirectoryAlone() async throws {
    try Data().write(to: URL(fileURLWithPath: place.path + "/of-somebody-else"))
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.path)
    _ = try SQLiteDeviceStore(in: StateDirectory(path: place.path))
    #expect(try place.mode(place.path) == 0o777)
  }

  @Test func keepsClocksAndTracks() async throws {
    let track = ProvisionalTrack(
      interval: ClockInterval(low: -3, high: 4, time: 99), lastPeriod: .max, distinctPeriods: 2)
    let states = [
      Samples.uuid(1): ClockState(interval: ClockInterval(low: .min, high: .max, time: -1)),
      Samples.uuid(2): ClockState(
        interval: ClockInterval(low: 1, high: 2, time: 3), provisional: track),
    ]
    let store = try place.store()
    try await store.put([Samples.device(1), Samples.device(2)])
    try await store.save(states)
    try await store.save([Samples.uuid(9): states[Samples.uuid(1)]!])
    #expect(try await place.store().clockStates() == states)
    // A track that was dropped does not come back.
    let dropped = ClockState(interval: track.interval)
    try await store.save([Samples.uuid(2): dropped])
    #expect(try await place.store().clockStates()[Samples.uuid(2)] == dropped)
  }

  @Test func givesNoCounterTwice() async throws {
    let uuid = Samples.uuid(1)
    try await place.store().put(Samples.device(1))
    #expect(try await place.store().issueControlCounter(for: uuid, unixTime: 100) == 100)
    #expect(try await place.store().issueControlCounter(for: uuid, unixTime: 5) == 101)
    // Replacing a device, as importing does, keeps what was issued.
    try await place.store().put(Samples.device(1, name: "again"))
    #expect(try await place.store().issueControlCounter(for: uuid, unixTime: 5) == 102)
    #expect(try await place.store().issueControlCounter(for: uuid, unixTime: .max) == .max - 1)
    let store = try place.store()
    #expect(
      await storeError { _ = try await store.issueControlCounter(for: uuid, unixTime: 1) }
        == .exhaustedCounter(uuid))
    #expect(
      await storeError {
        _ = try await store.issueControlCounter(for: Samples.uuid(2), unixTime: 1)
      }
        == .unknownDevice(Samples.uuid(2)))
  }

  @Test func keepsSightings() async throws {
    let store = try place.store()
    try await store.put([Samples.device(1), Samples.device(2)])
    let bare = Sighting(
      device: Samples.uuid(2), receivedAt: Timestamp(microseconds: 3),
      address: BluetoothAddress(value: 0), eid: [UInt8](repeating: 5, count: 28))
    store.record((0..<10).map { Samples.sighting(of: Samples.uuid(1), at: Int64(9 - $0)) })
    store.record([bare, Samples.sighting(of: Samples.uuid(3), at: 1)])
    try await store.flush()
    let other = try place.store()
    #expect(
      try await other.lastSightings() == [
        Samples.uuid(1): Samples.sighting(of: Samples.uuid(1), at: 9), Samples.uuid(2): bare,
      ])
    let some = try await other.sightings(
      of: Samples.uuid(1), from: Timestamp(microseconds: 2), to: Timestamp(microseconds: 5))
    #expect(some == [2, 3, 4].map { Samples.sighting(of: Samples.uuid(1), at: $0) })
  }

  @Test(.timeLimit(.minutes(10))) func writesSightingsByItself() async throws {
    let (store, other) = (try place.store(), try place.store())
    try await store.put(Samples.device(1))
    store.record([Samples.sighting(of: Samples.uuid(1), at: 1)])
    try await waitUntil { try await !other.lastSightings().isEmpty }
    #expect(try await other.lastSightings().count == 1)
  }

  @Test func keepsTheNewestSightings() async throws {
    let store = try SQLiteDeviceStore(in: place.state, sightingLimit: 100)
    try await store.put(Samples.device(1))
    for batch in 0..<10 {
      // A clock that goes back a year in between costs nothing of what came last.
      let start = batch % 2 == 0 ? Int64(batch) * 50 : -31_536_000_000_000
      store.record((0..<50).map { Samples.sighting(of: Samples.uuid(1), at: start + $0) })
      try await store.flush()
    }
    let all = try await store.sightings(
      of: Samples.uuid(1), from: Timestamp(microseconds: .min),
      to: Timestamp(microseconds: .max))
    #expect(all.count == 100)
    #expect(all.last?.receivedAt.microseconds == 449)
  }

  @Test func keepsDerivations() async throws {
    let store = try place.store()
    try await store.put(Samples.device(1))
    let early = DerivationKey(device: Samples.uuid(1), periods: PeriodRange(first: 0, last: 95))
    let late = DerivationKey(
      device: Samples.uuid(1), sequence: 1, periods: PeriodRange(first: 96, last: .max))
    let unknown = DerivationKey(device: Samples.uuid(2), periods: early.periods)
    for key in [early, late, unknown] { try await store.saveDerivations([1, 2, 3], for: key) }
    try await store.saveDerivations([4], for: early)
    let other = try place.store()
    #expect(try await other.derivations(for: early) == [4])
    #expect(try await other.derivations(for: late) == [1, 2, 3])
    #expect(try await other.derivations(for: unknown) == nil)
    try await other.dropDerivations(of: Samples.uuid(1), before: 96)
    #expect(try await other.derivations(for: early) == nil)
    #expect(try await other.derivations(for: late) != nil)
  }

  @Test func namesWhatItMayNotUse() async throws {
    let blocked = place.path + "/file"
    try Data([1]).write(to: URL(fileURLWithPath: blocked))
    for path in [blocked, blocked + "/below"] {
      let error = await storeError {
        _ = try SQLiteDeviceStore(in: StateDirectory(path: path))
      }
      #expect(error?.kind == .denied)
      #expect(error?.reason.contains(blocked) == true)
    }
  }

  @Test func findsTheStandardDirectory() async {
    await #expect(processExitsWith: .success) {
      setenv("XDG_DATA_HOME", "/data", 1)
      try #require(try StateDirectory.standard().path == "/data/luna")
      setenv("XDG_DATA_HOME", "relative", 1)
      setenv("HOME", "/home/ann", 1)
      try #require(try StateDirectory.standard().path == "/home/ann/.local/share/luna")
      unsetenv("HOME")
      unsetenv("XDG_DATA_HOME")
      #expect(throws: DeviceStoreError.self) { try StateDirectory.standard() }
    }
  }
}
