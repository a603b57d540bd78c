import Bluetooth
import LunaProtocol
import LunaTesting
import PeripheralHost
import Testing
import TrackerMachine

/// A tracker as the air sees it (PROTOCOL.md, 4, 5 and 12), through the commands to its controller.
@Suite struct TrackerOnAirTests {
  private static let span = Duration.seconds(4 * 1024)
  /// In steps of 0.625 ms: 100 ms and 1000 ms.
  private static let beaconInterval: UInt16 = 160
  private static let frameInterval: UInt16 = 1600

  private func eid(of airing: Airing) throws -> EID? {
    guard airing.interval == TrackerOnAirTests.frameInterval else { return nil }
    return try LunaFrame(advertisingData: airing.data.span).eid
  }

  @Test func rotatesInOneStepAndInTime() throws {
    // Never away from its owner.
    let tracker = try TrackerScript.keyed(parted: -86_400_000, .drawn())
    try tracker.run(until: TrackerOnAirTests.span)
    let airings = tracker.script.airings
    var eids: [EID: BluetoothAddress] = [:]
    for (before, airing) in zip(airings, airings.dropFirst()) where before.address != airing.address
    {
      let phase = tracker.clock(at: airing.at) % Period.milliseconds
      #expect(0..<Period.rotationDelayLimit ~= phase, "changed \(phase) ms after the period began")
    }
    for airing in airings {
      #expect(airing.address.randomKind == .static)
      guard let eid = try eid(of: airing) else { continue }
      let known = eids.updateValue(airing.address, forKey: eid)
      #expect(known == nil || known == airing.address)
    }
    // 379 s of the first period have passed: it is on air, and those that follow.
    #expect(eids.count == 5)
    #expect(Set(eids.values).count == 5)
    #expect(tracker.script.changesOnAir == 0)
    #expect(!tracker.script.told.contains { if case .reset = $0 { true } else { false } })
  }

  @Test func keepsItsAddressWhenItIsSeparated() throws {
    let tracker = try TrackerScript.keyed(parted: 3_600_000, .drawn())
    try tracker.run(until: TrackerOnAirTests.span)
    let airings = tracker.script.airings
    let eids = try Set(airings.compactMap { try eid(of: $0) })
    #expect(eids.count == 5)
    #expect(Set(airings.map(\.address)).count == 1)
  }

  @Test func takesTurnsWithItsModes() throws {
    let tracker = try TrackerScript.keyed(parted: -86_400_000, .drawn())
    // Within one period.
    try tracker.run(until: .seconds(600))
    let airings = tracker.script.airings
    let beacons = zip(airings, airings.dropFirst())
      .filter { $0.0.interval == TrackerOnAirTests.beaconInterval }
    #expect(37...39 ~= beacons.count)
    for (beacon, next) in beacons.dropFirst() {
      #expect(beacon.type == 3 && beacon.data.count == IBeaconFrame.byteCount)
      #expect(next.interval == TrackerOnAirTests.frameInterval)
      #expect(next.at - beacon.at == .seconds(2))
    }
    for airing in airings where airing.interval == TrackerOnAirTests.frameInterval {
      let bytes = airing.data
      let frame = try LunaFrame(advertisingData: bytes.span)
      #expect(frame.isConnectable == (airing.type == 0))
      #expect(airing.scanResponse.isEmpty == (airing.type != 0))
    }
    // One slot in four accepts connections.
    let connectable = airings.count { $0.type == 0 }
    #expect(9...10 ~= connectable)
  }

  @Test func ringsForItsOwnerAtTheSmallestMTU() throws {
    let tracker = try TrackerScript.keyed(parted: 0, .drawn())
    let script = tracker.script
    try tracker.tell(.buttonDown)
    try tracker.tell(.buttonUp)
    while script.airings.last?.type != 0 { try tracker.run(until: script.now + .seconds(1)) }
    script.connect()
    try tracker.hear()
    #expect(!script.isOnAir)

    var schedule = try KeySchedule()
    let keys = schedule.keys(of: TrackerSamples.masterKey)
    let period = try #require(tracker.machine.period)
    var authenticator = try ControlAuthenticator()
    let package = try authenticator.deferredPackage(
      .buzzStart, argument: 10, counter: 1_700_000_200, period: period, keys: keys)
    // Handles: 19 Control, 20 its configuration; a long write, since 44 bytes do not fit.
    script.ask([0x12, 20, 0, 2, 0])
    let bytes = package.bytes.indices.map { package.bytes[$0] }
    for start in stride(from: 0, to: bytes.count, by: 18) {
      script.ask([0x16, 19, 0, UInt8(start), 0] + bytes[start..<min(bytes.count, start + 18)])
    }
    script.ask([0x18, 1])
    try tracker.hear()
    #expect(tracker.sounds == [10])
    // Execute Write Response, then the receipt.
    #expect(script.pdus.dropLast().last == [0x19])
    let indication = try #require(script.pdus.last)
    #expect(indication.prefix(3) == [0x1D, 19, 0])
    let receipt = Array(indication.dropFirst(3))
    let verified = try authenticator.verify(receipt.span, for: package, keys: keys)
    #expect(verified.status == .done)
    script.ask([0x1E])

    let count = script.airings.count
    script.leave()
    try tracker.hear()
    #expect(script.isOnAir && script.airings.count == count + 1)
  }

  @Test func endsALinkOnWhichNothingHappens() throws {
    let tracker = try TrackerScript.keyed(parted: 0, .drawn())
    tracker.script.connect()
    try tracker.hear()
    try tracker.run(until: .seconds(29))
    #expect(tracker.script.happened.last != .disconnected)
    try tracker.run(until: .seconds(31))
    #expect(tracker.script.happened.last == .disconnected)
    #expect(tracker.script.isOnAir)
  }

  @Test func goesOnAfterAResetOfTheController() throws {
    let tracker = try TrackerScript.keyed(parted: 0, .drawn())
    try tracker.run(until: .seconds(30))
    let script = tracker.script
    let before = script.airings.last
    script.connect()
    try tracker.hear()
    script.feed([0x10, 0x01, 0x00])
    try tracker.hear()
    #expect(script.happened.last == .disconnected)
    #expect(script.isOnAir)
    #expect(script.airings.last?.address == before?.address)
  }
}
