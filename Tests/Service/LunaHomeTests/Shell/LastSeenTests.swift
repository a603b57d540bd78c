import Bluetooth
import LunaCore
import LunaJSON
import Testing

@testable import LunaHome

/// When trackers were last heard: told as it changes, and known after a restart.
@Suite(.timeLimit(.minutes(10))) struct LastSeenTests {
  private static let file = #"{"trackers": [{"id": "b", "match": "rssi > 100"}]}"#
  private static let text = "2026-11-27T12:00:00Z"

  @Test func isToldOnceInAMinute() {
    var ear = HomeEar()
    ear.adopt(
      HomeConfiguration(HomeFile(#"{"trackers": [{"id": "b", "match": "rssi > -127"}]}"#)), [:])
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1), adapter: 0,
      address: BluetoothAddress(value: 0xC0_0000_0000_01), addressType: .random,
      payload: AdvertisingPayload([]), rssi: -60)
    let told = (Int64(0)...120).filter { second in
      let now = Moment(
        wall: (1_795_780_800 + second) * 1_000_000, boot: (5 + second) * 1_000_000)
      let inputs = ear.inputs([report], [], adapter: "hci0", box: nil, at: now)
      return inputs.contains(.seen("b", at: now.wall))
    }
    #expect(told == [0, 60, 120])
  }

  @Test func isAChangeAndLastsOverARestart() async throws {
    let time = try #require(HomeTime.microseconds(Self.text))
    let bench = try ShellBench(Self.file)
    try await bench.home.start()
    #expect(await bench.home.tracker("b")?["lastSeen"]?.value == .null)
    let before = await bench.home.snapshot().revision
    await bench.home.take([.seen("b", at: time)])
    let changes = try #require(await bench.home.changes(after: before))
    #expect(
      changes.contains {
        guard case .value("b", let value) = $0.event else { return false }
        return value.name == "lastSeen" && value.value == .string(HomeTime.text(time))
      })
    // What was heard is kept as signals: there is no second history of it.
    await bench.home.stop()
    let next = try ShellBench(Self.file, in: bench)
    try await next.home.start()
    let seen = await next.home.tracker("b")?["lastSeen"]
    #expect(seen?.value == .string(HomeTime.text(time)) && seen?.at == time)
    #expect(
      try await next.home.history(of: "lastSeen", of: "b", from: 0, to: .max).isEmpty)
    await next.home.stop()
  }
}
