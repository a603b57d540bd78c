import Diagnosis
import Foundation
import LunaCore
import LunaProtocol
import LunaTesting
import SQLite
import Testing

@testable import LunaStore

struct MigrationTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  /// A store as the version with this many steps made it.
  private func makeStore(version: Int) throws -> Device {
    let device = Samples.device(1)
    try place.state.create(for: SQLiteDeviceStore.defaultFileName)
    try StateDirectory.secure(place.state.place(of: SQLiteDeviceStore.defaultFileName))
    let database = try Database(path: place.file, patience: .seconds(1))
    try Migration.devices.run(on: database, upTo: version)
    let uuid = device.uuid.bytes
    let hex = uuid.indices.map { String(format: "%02x", uuid[$0]) }.joined()
    let stored = try StoredKeys.protect(
      KeyCoding.encode(device.keys), of: device, under: nil)
    let key = stored.map { String(format: "%02x", $0) }.joined()
    try database.execute(
      """
      INSERT INTO devices(id, uuid, name, kind, onboarded, unauthenticated, keys, counter)
      VALUES(5, x'\(hex)', 'device 1', 'luna', 1700000000000000, 0, x'\(key)', 9);
      INSERT INTO clocks VALUES(5, -1, 1, 42, NULL, NULL, NULL, NULL, NULL);
      """)
    return device
  }

  @Test(arguments: 1...Migration.devices.steps.count)
  func takesOverOlderVersions(version: Int) async throws {
    let device = try makeStore(version: version)
    let store = try place.store()
    #expect(try await store.allDevices() == [device])
    #expect(
      try await store.clockStates()
        == [device.uuid: ClockState(interval: ClockInterval(low: -1, high: 1, time: 42))])
    #expect(try await store.issueControlCounter(for: device.uuid, unixTime: 1) == 10)
    // Everything that newer versions added works.
    store.record([Samples.sighting(of: device.uuid, at: 3)])
    #expect(try await store.lastSightings().count == 1)
    let key = DerivationKey(device: device.uuid, periods: PeriodRange(first: 0, last: 1))
    try await store.saveDerivations([7], for: key)
    #expect(try await store.derivations(for: key) == [7])
    #expect(try await !store.isSealed())
    var tracker = Samples.device(9)
    tracker.firmware = 0x0203
    let pending = PendingOnboarding(device: tracker, hint: ESF(value: 7))
    try await store.addPending(pending)
    #expect(try await store.pendingOnboardings() == [pending])
    #expect(try await store.promotePending(tracker.uuid, name: nil)?.firmware == 0x0203)
    // Who imports it again, without that, takes nothing away.
    try await store.put([Samples.device(9)])
    #expect(try await store.allDevices().last?.firmware == 0x0203)
  }

  @Test func refusesANewerVersion() async throws {
    _ = try makeStore(version: Migration.devices.steps.count)
    try Database(path: place.file, patience: .seconds(1)).execute("PRAGMA user_version = 99")
    let before = try place.contents()
    let error = await storeError { _ = try place.store() }
    #expect(error?.kind == .newer)
    #expect(error?.reason.contains("99") == true)
    #expect(try place.contents() == before)
  }

  @Test func refusesADatabaseOfAnotherProgram() async throws {
    try place.state.create(for: SQLiteDeviceStore.defaultFileName)
    try StateDirectory.secure(place.state.place(of: SQLiteDeviceStore.defaultFileName))
    try Database(path: place.file, patience: .seconds(1)).execute("CREATE TABLE t(a)")
    let before = try place.contents()
    let error = await storeError { _ = try place.store() }
    #expect(error?.reason.contains("another program") == true)
    #expect(try place.contents() == before)
  }
}
