import Bluetooth
import LunaCore
import LunaProtocol
import Testing

@testable import LunaHome

/// How people, and Home Assistant, call trackers.
@Suite(.timeLimit(.minutes(10))) struct TrackerNameTests {
  private func name(in file: String) async throws -> String? {
    let device = Device(
      uuid: DeviceUUID(high: 1, low: 2), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "Ada's bike")
    let bench = try ShellBench(file, devices: [device])
    try await bench.home.start()
    let name = await bench.home.tracker("bike")?.name
    await bench.home.stop()
    return name
  }

  @Test func isThatOfTheDeviceWhereTheFileSaysNone() async throws {
    let unnamed = #"{"trackers": [{"id": "bike", "device": "Ada's bike"}]}"#
    #expect(try await name(in: unnamed) == "Ada's bike")
    let named = #"{"trackers": [{"id": "bike", "device": "Ada's bike", "name": "bike"}]}"#
    #expect(try await name(in: named) == "bike")
    #expect(try await name(in: #"{"trackers": [{"id": "bike"}]}"#) == "bike")
  }
}
