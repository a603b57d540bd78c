import Bluetooth
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@Suite("Slots")
struct SlotTests {
  @Test("Of 16 s the first 2 are iBeacon, the rest BLE; every fourth BLE slot is connectable")
  func cycle() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 900_000)
    let adverts = tracker.adverts
    var connectable = 0
    var whole = 0
    var phases: Set<Int64> = []
    for (advert, next) in zip(adverts, adverts.dropFirst())
    where advert.advertisement.period == next.advertisement.period && advert.uptime > 0 {
      let length = next.uptime - advert.uptime
      let before = adverts.last { $0.uptime < advert.uptime }
      guard before?.advertisement.period == advert.advertisement.period else { continue }
      if advert.advertisement.mode == .iBeacon {
        #expect(length == 2000)
        #expect(advert.advertisement.pdu == .advNonconnInd)
        #expect(advert.advertisement.interval == 100)
        #expect(advert.advertisement.scanResponse.isEmpty)
        phases.insert(advert.uptime % 16_000)
      } else {
        #expect(length == 14_000)
        #expect(advert.advertisement.interval == 1000)
        #expect(advert.advertisement.intervalDelay == 10)
        let frame = try LunaFrame(advertisingData: advert.advertisement.data.span)
        #expect(frame.isConnectable == (advert.advertisement.pdu == .advInd))
        #expect(advert.advertisement.scanResponse.isEmpty == !frame.isConnectable)
        whole += 1
        if frame.isConnectable { connectable += 1 }
      }
    }
    #expect(abs(connectable * 4 - whole) <= 8)
    // One phase for each period that was shown.
    #expect(phases.count <= Set(adverts.map(\.advertisement.period)).count)
  }

  @Test("Regions take turns, 64 s each, and carry the heid's prefix")
  func regions() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 900_000)
    var schedule = try KeySchedule()
    var reports = try ReportKeyDeriver()
    let keys = schedule.keys(of: TrackerSamples.masterKey)
    let location = try #require(keys.location)
    var regions: [Int] = []
    for advert in tracker.adverts where advert.advertisement.mode == .iBeacon {
      let frame = try IBeaconFrame(advertisingData: advert.advertisement.data.span)
      let period = advert.advertisement.period
      let heid = reports.heid(
        eid: schedule.eid(keys.identification, period: period),
        aotp: schedule.aotp(location, period: period))
      #expect(frame.heidPrefix == heid.prefix)
      let region = try #require(advert.advertisement.region)
      #expect(frame.region == IBeaconFrame.defaultRegions[region])
      if regions.last != region { regions.append(region) }
    }
    #expect(Set(regions) == [0, 1, 2])
  }

  @Test("After the button all BLE slots are connectable for 60 s")
  func button() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 100_000)
    try tracker.send(.buttonDown)
    try tracker.send(.buttonUp)
    let pressed = tracker.uptime
    while tracker.uptime < pressed + 59_900 {
      let onAir = try tracker.onAir
      #expect(onAir.isConnectable == (onAir.mode == .frame))
      try tracker.run(for: 100)
    }
    try tracker.run(for: 100)
    var quiet = false
    for _ in 0..<640 {
      try tracker.run(for: 100)
      if try tracker.onAir.mode == .frame, try !tracker.onAir.isConnectable { quiet = true }
    }
    #expect(quiet)
  }

  @Test(
    "With speed, slots keep their real length and periods become short", arguments: [7, 60, 500])
  func speed(factor: Int64) throws {
    var tracker = try Simulation.keyed(oscillator: .init(speed: factor))
    try tracker.run(for: 600_000)
    let periods = Set(tracker.adverts.map(\.advertisement.period))
    let expected = 600_000 * factor / Period.milliseconds
    #expect(abs(Int64(periods.count) - expected) <= 2)
    var lengths: [Int64] = []
    for (advert, next) in zip(tracker.adverts, tracker.adverts.dropFirst())
    where advert.advertisement.mode == .iBeacon
      && advert.advertisement.period == next.advertisement.period
    {
      lengths.append(next.uptime - advert.uptime)
    }
    #expect(lengths.allSatisfy { $0 <= 2001 })
    if factor < 60 { #expect(lengths.contains { (1999...2001).contains($0) }) }
  }

  @Test("Factory state: random identifiers per period of uptime, counter 0, the hint, onboardable")
  func factory() throws {
    var tracker = Simulation(TrackerSamples.factory(), uptime: 5_000_000)
    try tracker.start(clock: nil)
    try tracker.run(for: 3 * Period.milliseconds)
    var eids: [UInt32: Set<EID>] = [:]
    for advert in tracker.adverts where advert.advertisement.mode == .frame {
      let frame = try LunaFrame(advertisingData: advert.advertisement.data.span)
      #expect(frame.isOnboardable && !frame.isSeparated && frame.keyRollingCounter == 0)
      #expect(frame.esf.description == "3008df")
      eids[advert.advertisement.period, default: []].insert(frame.eid)
    }
    #expect(eids.keys.sorted() == [0, 1, 2] || eids.keys.sorted() == [0, 1, 2, 3])
    #expect(eids.values.allSatisfy { $0.count == 1 })
    #expect(tracker.actions.stores.isEmpty)
  }

  @Test("Silent on the air from the connection to its end, whatever happens meanwhile")
  func silentWhileConnected() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 5000)
    #expect(tracker.machine.advertisement != nil)
    let sent = tracker.adverts.count
    let done = try tracker.send(.connected)
    #expect(done.contains { if case .silence = $0 { true } else { false } })
    #expect(tracker.machine.advertisement == nil)
    // Over slots, rotations and the button.
    try tracker.send(.buttonDown)
    try tracker.send(.buttonUp)
    for _ in 0..<100 {
      try tracker.run(for: 20_000)
      _ = try tracker.read(.challenge)
    }
    #expect(tracker.adverts.count == sent)
    try tracker.send(.disconnected)
    #expect(tracker.adverts.count == sent + 1)
    #expect(try tracker.onAir.period == tracker.period)
  }
}
