import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import Testing

@testable import LunaHome

/// One's own tracker, whose identifier and address are others each quarter of an hour: from its frames to the rules.
@Suite struct RotationTests {
  private static let start: Int64 = 1_750_000_000
  private static let text = """
    { "trackers": [ { "id": "keys", "name": "Keys", "device": "Keys" } ], "rules": [
        { "id": "in", "cooldown": "0s", "when": [ { "beaconIn": {} } ], "then": [ { "ping": {} } ] },
        { "id": "out", "cooldown": "0s", "when": [ { "beaconOut": {} } ], "then": [ { "ping": {} } ] } ] }
    """

  @Test func aRotationMakesNoSecondDeviceAndIsNoEvent() throws {
    let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
    let device = Device(
      uuid: DeviceUUID(high: 1, low: 2), masterKey: masterKey,
      onboardingTimestamp: Timestamp(unixMilliseconds: Self.start * 1000), name: "Keys")
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: masterKey)
    let location = try #require(keys.location)
    let control = try #require(keys.control)
    let follower = try TrackerFollower([device])
    var bench = EngineBench(Self.text, start: Self.start)
    var ear = HomeEar()
    ear.adopt(bench.engine.configuration, ["keys": device])

    var heard: Set<String> = []
    var identifiers: [String] = []
    var fired: [String] = []
    for _ in 0..<(4 * 1024 / 5) {
      let milliseconds = bench.wall / 1000
      let period = Rotation.periodOnAir(clock: milliseconds, delay: 20_000, minimumPeriod: 0)
      let botp = schedule.botp(control, period: period)
      let status = TrackerStatus(battery: .normal, isConnectable: false, isSounding: false)
      let frame = LunaFrame(
        isConnectable: false, isOnboardable: false, isSeparated: false,
        keyRollingCounter: UInt8(truncatingIfNeeded: period),
        eid: schedule.eid(keys.identification, period: period),
        aotp: schedule.aotp(location, period: period),
        esf: schedule.sealStatus(status, botp: botp))
      let bytes = frame.encoded
      let report = AdvertisingReport(
        time: Timestamp(unixMilliseconds: milliseconds), adapter: nil,
        address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(period)), addressType: .random,
        payload: AdvertisingPayload(bytes.indices.map { bytes[$0] }), rssi: -60)
      var updates: [LocalUpdate] = []
      follower.receive(report, into: &updates)
      for input in ear.inputs([report], updates, adapter: "hci0", box: nil, at: bench.now) {
        switch input {
        case .frame(let tracker, _, _): heard.insert(tracker)
        case .value("keys", "identifier", .text(let text)): identifiers.append(text)
        default: break
        }
        fired += bench.take(input).fired
      }
      fired += bench.wait(5).fired
    }
    #expect(heard == ["keys"])
    #expect(follower.devices.count == 1)
    #expect(Set(identifiers).count >= 4)
    #expect(fired == [])
    // That it is there was told once, and holds.
    #expect(bench.lines.count { $0.contains("\"present\"") } == 1)
    #expect(bench.engine.isPresent("keys") == true)
    #expect(Array(bench.engine.state.trackers.keys) == ["keys"])
  }
}
