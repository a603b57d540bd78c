import Bluetooth
import Glibc
import LunaCore
import LunaLocal
import LunaProtocol
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ForeignTests {
  let start: Int64 = 1_750_000_000_000

  func frame(_ number: UInt64, onboardable: Bool = false) -> [UInt8] {
    var generator = Seeded(number)
    let bytes = LunaFrame(
      isConnectable: false, isOnboardable: onboardable, isSeparated: false,
      keyRollingCounter: onboardable ? 0 : UInt8(truncatingIfNeeded: generator.next()),
      eid: EID(value: generator.next() | 1), aotp: AOTP(value: generator.next() | 1),
      esf: ESF(value: UInt32(truncatingIfNeeded: generator.next()))
    ).encoded
    return bytes.indices.map { bytes[$0] }
  }

  @Test func foreignTrackersAreShown() throws {
    let follower = try TrackerFollower([])
    let address = BluetoothAddress(value: 0xC0_0000_0000_01)
    let update = try #require(follower.hear(makeReport(frame(1), address, start)).first)
    #expect(update.event == .appeared)
    #expect(update.state.uuid == nil && update.state.heid?.count == 32)
    #expect(update.expectedAt == nil && update.drift == nil)
    #expect(update.state.timestampedEids.first?.drift.isNaN == true)
    // A separated tracker keeps its address for a day.
    let next = try #require(follower.hear(makeReport(frame(2), address, start + 1000)).first)
    #expect(next.event == .rotated && next.device === update.device)
  }

  @Test func factoryStateIsOnboardable() throws {
    let follower = try TrackerFollower([])
    let report = makeReport(
      frame(1, onboardable: true), BluetoothAddress(value: 0xC0_0000_0000_01), start)
    let state = try #require(follower.hear(report).first).state
    #expect(state.onboardable && state.onboardingHint != nil && state.heid == nil)
  }

  /// A million of them: `luna-bench check`, a step of scripts/test.
  @Test func rotatingAddressesTakeNoMoreMemory() async {
    // In a process of its own: the tests beside this one take memory, too.
    await #expect(processExitsWith: .success) { try ForeignTests().hearManyAddresses() }
  }

  func hearManyAddresses() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    var updates: [LocalUpdate] = []
    var generator = Seeded(3)
    var bytes = frame(1)
    var halfway = 0
    for number in 0..<16_000 {
      let time = start + Int64(number)
      let value = generator.next()
      for index in 0..<8 {
        bytes[13 + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
      follower.receive(
        makeReport(
          bytes, BluetoothAddress(value: value & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000), time),
        into: &updates)
      updates.removeAll(keepingCapacity: true)
      if number % 5000 == 0 {
        #expect(follower.devices.count <= 4097)
        let heard = follower.hear(tracker.report(at: time))
        #expect(heard.last?.device.uuid == tracker.device.uuid)
      }
      if number == 6000 { halfway = residentKilobytes() }
    }
    #expect(residentKilobytes() - halfway < 4096)
  }

  @Test(arguments: [
    (11, UInt8(0x21), LunaFrameRejection.unsupportedVersion),
    (9, UInt8(0x12), .foreignCompany),
    (11, UInt8(0x18), .reservedBit),
  ])
  func whatIsNotTakenIsCounted(_ offset: Int, _ value: UInt8, _ reason: LunaFrameRejection) throws {
    let follower = try TrackerFollower([])
    var bytes = frame(1)
    bytes[offset] = value
    for _ in 0..<3 {
      #expect(
        follower.hear(makeReport(bytes, BluetoothAddress(value: 0xC0_0000_0000_01), start)).isEmpty)
    }
    #expect(follower.counters.refused == [reason: 3])
    #expect(follower.takeProblems().count == (reason == .reservedBit ? 0 : 1))
  }

  @Test func whatOnlyListsTheServiceIsNoFrame() throws {
    let follower = try TrackerFollower([])
    let address = BluetoothAddress(value: 0xC0_0000_0000_01)
    let services: [UInt8] = [0x03, 0x03, 0x04, 0x18]
    // bluetoothd keeps the services of an advertiser, and replaces its manufacturer data.
    let beacon = IBeaconFrame(region: IBeaconFrame.defaultRegions[0], heidPrefix: 7).encoded
    let heard = follower.hear(
      makeReport(services + beacon.indices.map { beacon[$0] }, address, start))
    #expect(heard.map(\.event) == [.appeared])
    let fob = services + [0x05, 0xFF, 0x59, 0x00, 0x11, 0x02]
    #expect(follower.hear(makeReport(fob, address, start)).isEmpty)
    #expect(follower.counters.refused.isEmpty)
    #expect(follower.takeProblems().isEmpty)
  }
}

/// The memory of this process, KiB.
func residentKilobytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var total = 0
  var resident = 0
  withUnsafeMutablePointer(to: &total) { total in
    withUnsafeMutablePointer(to: &resident) { resident in
      _ = withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
    }
  }
  return resident * 4
}
