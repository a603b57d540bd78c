import Bluetooth
import LunaProtocol
import Testing
import TrackerMachine
import TrackerSimulation
import VirtualRadio

@Suite("Trackers in the virtual room")
struct DemoTrackerTests {
  static let start: Int64 = 1_795_000_000_000_000

  private func reports(
    seed: UInt64, seconds: Int64, isActive: Bool = true, time: ProtocolTime = .real
  ) throws -> [AdvertisingReport] {
    let guests = try DemoTracker.guests(seed: seed, start: Self.start, time: time)
    var room = VirtualRoom(
      seed: seed, start: Timestamp(microseconds: Self.start), isActive: isActive, guests: guests)
    var reports: [AdvertisingReport] = []
    while room.due < seconds * 1_000_000 { reports.append(room.next()) }
    return reports
  }

  private func frame(_ report: AdvertisingReport) -> LunaFrame? {
    report.payload.withBytes { try? LunaFrame(advertisingData: $0) }
  }

  @Test("The same seed gives the same trackers and the same air", arguments: [1, 7])
  func deterministic(seed: UInt64) throws {
    let keys = try DemoTracker.all(seed: seed).map { $0.record.ownership?.masterKey }
    #expect(try DemoTracker.all(seed: seed).map { $0.record.ownership?.masterKey } == keys)
    #expect(try DemoTracker.all(seed: seed + 1).map { $0.record.ownership?.masterKey } != keys)
    #expect(try reports(seed: seed, seconds: 60) == reports(seed: seed, seconds: 60))
  }

  @Test("Whoever has the keys finds each tracker on the air, with the drift that it has")
  func found() throws {
    let reports = try reports(seed: 7, seconds: 120)
    let frames = reports.compactMap { frame($0) }
    var schedule = try KeySchedule()
    for tracker in try DemoTracker.all(seed: 7) {
      guard let ownership = tracker.record.ownership else { continue }
      let keys = schedule.keys(of: ownership.masterKey)
      let elapsed = Self.start / 1000 - Int64(DemoTracker.onboardingTimestamp) * 1000
      let clock = Self.start / 1000 + elapsed / 1_000_000 * tracker.drift
      let period = Period.number(at: clock)
      let eids = (period - 1...period + 1).map { schedule.eid(keys.identification, period: $0) }
      let heard = frames.filter { eids.contains($0.eid) }
      #expect(heard.count > 50, "\(tracker.name)")
      #expect(heard.allSatisfy { $0.isSeparated == tracker.isLeft && !$0.isOnboardable })
    }
    #expect(frames.contains { $0.isOnboardable })
  }

  @Test("In a minute both kinds of frame are heard, at their pace, and scan responses")
  func pace() throws {
    let reports = try reports(seed: 3, seconds: 64).filter { report in
      report.payload.withBytes { (try? IBeaconFrame(advertisingData: $0)) != nil }
        || frame(report) != nil || report.pduType == .scanRsp
    }
    let beacons = reports.filter {
      $0.payload.withBytes { (try? IBeaconFrame(advertisingData: $0)) != nil }
    }
    // Five trackers, 4 slots of 2 s each, 10 a second.
    #expect((350...430).contains(beacons.count))
    #expect(beacons.allSatisfy { $0.pduType == .advNonconnInd })
    let frames = reports.compactMap { frame($0) }
    #expect((260...300).contains(frames.count))
    for (index, report) in reports.enumerated() where report.pduType == .scanRsp {
      guard report.payload.bytes == [0x05, 0x09] + Array("Luna".utf8) else { continue }
      let before = reports[..<index].last { $0.address == report.address }
      #expect(before?.pduType == .advInd)
      #expect(before.flatMap { frame($0) }?.isConnectable == true)
    }
  }

  @Test("With speed, addresses and identifiers rotate while one looks on")
  func rotation() throws {
    let time = ProtocolTime(epoch: Timestamp(microseconds: Self.start), speed: 60)
    let reports = try reports(seed: 5, seconds: 120, time: time)
    var addresses: [EID: Set<BluetoothAddress>] = [:]
    for report in reports {
      if let frame = frame(report) { addresses[frame.eid, default: []].insert(report.address) }
    }
    // Two hours of protocol time: 7 periods each.
    #expect((33...45).contains(addresses.count))
    #expect(addresses.values.allSatisfy { $0.count == 1 })
  }

  @Test(
    "Fast time that began in the year 1 or in 9999 is heard as well",
    arguments: [-62_135_596_800_000_000, 253_402_214_400_000_000])
  func distantTime(epoch: Int64) throws {
    let time = ProtocolTime(
      epoch: Timestamp(microseconds: epoch), speed: ProtocolTime.maximumSpeed)
    let reports = try reports(seed: 1, seconds: 4, time: time)
    #expect(reports.contains { frame($0) != nil })
  }
}
