import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import LunaWatch
import Testing
import TrackerMachine
import TrackerSimulation

@testable import LunaHome
@testable import LunaLocal

/// One's own trackers, as the scan of a home hears them: they come along every day, and are no news.
@Suite(.timeLimit(.minutes(10))) struct OwnTrackerWatchTests {
  private static let file = #"{"trackers": [{"id": "keys", "name": "Keys", "device": "Keys"}]}"#

  /// A tracker of the simulated room whose keys are given out.
  private static func keys() throws -> Device {
    let tracker = try #require(try DemoTracker.all(seed: 1).first { $0.name == "Keys" })
    let ownership = try #require(tracker.record.ownership)
    return Device(
      uuid: ownership.uuid, masterKey: ownership.masterKey,
      onboardingTimestamp: Timestamp(
        microseconds: Int64(ownership.onboardingTimestamp) * 1_000_000), name: tracker.name)
  }

  private static let address = BluetoothAddress(value: 0xC000_0000_0001)

  /// An advertisement of a Tile.
  private static func report(_ address: BluetoothAddress, _ time: Timestamp) -> AdvertisingReport {
    AdvertisingReport(
      time: time, adapter: 0, address: address, addressType: .random,
      payload: AdvertisingPayload([3, 3, 0xED, 0xFE]), rssi: -60)
  }

  /// What the following says of a device with an address.
  private static func update(
    _ device: Device, _ kind: DeviceKind, _ event: LocalUpdate.Event = .seen,
    _ type: AddressType = .random
  ) -> LocalUpdate {
    var state = LocalDevice.State(uuid: device.uuid, kind: kind, name: device.name)
    (state.address, state.addressType) = (address, type)
    return LocalUpdate(
      event: event, device: LocalDevice(state), state: state, expectedAt: nil, drift: nil)
  }

  /// A day on which the following says this with each advertisement, and a stranger's Tile is heard as well.
  ///
  /// - Returns: who was news; and who is listed as known, with whose keys are here and which tracker of the file it is.
  private func live(
    _ update: LocalUpdate, _ device: Device
  ) -> (news: Set<String>, excluded: [JSONValue]) {
    var watch = HomeWatch()
    watch.adopt(HomeConfiguration(HomeFile(Self.file)), ["keys": device])
    let stranger = BluetoothAddress(value: 0xC000_0000_0002)
    let news = WatchedDay.live(0, &watch) { watch, time in
      watch.take([Self.report(Self.address, time), Self.report(stranger, time)], [update])
    }
    var excluded: [JSONValue] = []
    if case .object(let report) = watch.report(at: WatchedDay.time(0, 1_439).microseconds),
      case .array(let known)? = report["excluded"]
    {
      excluded = known.map { one in
        guard case .object(let one) = one else { return .null }
        return .array(["id", "excluded", "tracker"].map { one[$0] ?? .null })
      }
    }
    return (Set(news.map(\.id)), excluded)
  }

  @Test func whatTheScanKnowsIsLeftOut() throws {
    let day = live(Self.update(try Self.keys(), .luna), try Self.keys())
    #expect(day.news == ["tile:c00000000002"])
    #expect(day.excluded == [["tile:c00000000001", "own", "keys"]])
  }

  @Test func whatOthersShareIsToldApart() throws {
    let day = live(Self.update(try Self.keys(), .lunaShared), try Self.keys())
    #expect(day.news == ["tile:c00000000002"])
    #expect(day.excluded == [["tile:c00000000001", "shared", "keys"]])
  }

  @Test(arguments: [
    (LocalUpdate.Event.timedOut, AddressType.random), (.batteryLow, .random), (.seen, .absent),
  ])
  func whatIsNoFrameAtThatAddressLeavesNothingOut(
    event: LocalUpdate.Event, type: AddressType
  ) throws {
    let day = live(Self.update(try Self.keys(), .luna, event, type), try Self.keys())
    #expect(day.news == ["tile:c00000000001", "tile:c00000000002"])
    #expect(day.excluded.isEmpty)
  }

  /// The whole way: the simulated room, the one scan of the home, its following, the watch.
  @Test func aHomeKnowsItsOwnInTheWatch() async throws {
    let bench = try ShellBench(Self.file, devices: [try Self.keys()])
    let changes = await bench.home.changes()
    try await bench.home.start()
    // Whose a new identifier is may be known a frame later.
    for await _ in changes where await !bench.home.watch.names.isEmpty { break }
    #expect(await Set(bench.home.watch.names.values) == ["keys"])
    await bench.home.stop()
  }
}
