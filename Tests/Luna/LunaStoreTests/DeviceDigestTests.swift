import Bluetooth
import LunaCore
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

/// Whether the devices of a store have changed, without reading them.
struct DeviceDigestTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func changesWithDevicesAndWithSharesOfStatus() async throws {
    // Another connection, as that of another process.
    let (store, other) = (try place.store(), try place.store())
    var share = SentShareRow(
      share: Samples.uuid(8), tracker: Samples.uuid(1), contact: "ben",
      recipient: [UInt8](repeating: 1, count: 32), serial: 1,
      periods: PeriodRange(first: 5, last: 8), rights: ShareRights(status: true), issuedAt: 10,
      until: 20, isRenewed: false)
    var digests: [Int?] = [try await store.deviceDigest()]
    try await other.put([Samples.device(1), Samples.device(2)])
    digests.append(try await store.deviceDigest())
    _ = try await other.rename(Samples.uuid(1), to: "bicycle")
    digests.append(try await store.deviceDigest())
    try await other.put(share)
    digests.append(try await store.deviceDigest())
    share.serial = 2
    share.until = 30
    try await other.put(share)
    digests.append(try await store.deviceDigest())
    _ = try await other.forget(Samples.uuid(2))
    digests.append(try await store.deviceDigest())
    #expect(!digests.contains(nil) && Set(digests).count == digests.count)
  }

  @Test func staysWithWhatIsLearned() async throws {
    let (store, other) = (try place.store(), try place.store())
    let uuid = Samples.uuid(1)
    try await other.put([Samples.device(1)])
    let before = try await store.deviceDigest()
    other.record([Samples.sighting(of: uuid, at: 5)])
    try await other.flush()
    try await other.save([uuid: ClockState(interval: ClockInterval(low: -1, high: 1, time: 5))])
    _ = try await other.issueControlCounter(for: uuid, unixTime: 1_700_000_000)
    #expect(try await store.lastSightings().count == 1)
    #expect(try await store.deviceDigest() == before)
  }
}
