import Bluetooth
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@Suite("Rotation")
struct RotationTests {
  static let day: Int64 = 86_400_000

  @Test("Over two days every period comes once, in order, 0 to J late", arguments: [1, 2, 3])
  func order(seed: UInt64) throws {
    var tracker = try Simulation.keyed(seed: seed)
    try tracker.run(for: 2 * Self.day)
    var first: [UInt32: Simulation.Advert] = [:]
    var last: UInt32?
    for advert in tracker.adverts {
      let period = advert.advertisement.period
      if let last { #expect(period == last || period == last + 1) }
      if first[period] == nil { first[period] = advert }
      last = period
    }
    #expect(first.count == 169 || first.count == 170)
    var delays: [Int64] = []
    for (period, advert) in first where period != tracker.adverts[0].advertisement.period {
      let delay = advert.time - Period.start(of: period)
      #expect(0..<Period.rotationDelayLimit ~= delay)
      delays.append(delay)
    }
    // Uniform: neither all early nor all late.
    let mean = delays.reduce(0, +) / Int64(delays.count)
    #expect((80_000...124_000).contains(mean))
    #expect(Set(delays).count > 100)
  }

  @Test("Delays are spread evenly from 0 to J, and say nothing of the next one", arguments: [1, 2])
  func even(seed: UInt64) throws {
    var tracker = try Simulation.keyed(seed: seed)
    let parts = 8
    let length = Period.rotationDelayLimit / Int64(parts)
    let start = Int64(TrackerSamples.time) * 1000
    let first = Period.number(at: start) + 1
    // How many began in each part of J, and how many did in another half than the one before.
    var counts = [Int](repeating: 0, count: parts)
    var changes = 0
    var wasLate = false
    let rotations = 2000
    for period in first..<first + UInt32(rotations) {
      try tracker.look(at: Period.start(of: period) - start)
      var part = 0
      while part < parts {
        try tracker.look(at: Period.start(of: period) + Int64(part + 1) * length - 1 - start)
        if try tracker.period == period { break }
        part += 1
      }
      try #require(part < parts)
      counts[part] += 1
      let isLate = part >= parts / 2
      if isLate != wasLate { changes += 1 }
      wasLate = isLate
    }
    // Chi-squared with 7 degrees of freedom is above 45 once in ten million times; five standard deviations.
    let expected = rotations / parts
    let sum = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) }
    #expect(sum <= 45 * expected, "\(counts)")
    #expect(abs(changes - rotations / 2) <= 112, "\(changes)")
  }

  @Test("Address, identifiers and counter change in one step, and only at a rotation")
  func oneStep() throws {
    var tracker = try Simulation.keyed()
    var addresses: [UInt32: Set<BluetoothAddress>] = [:]
    var eids: [UInt32: Set<EID>] = [:]
    try tracker.send(.buttonDown)
    try tracker.send(.buttonUp)
    // Half an hour: not yet separated.
    try tracker.run(for: 1_790_000)
    for advert in tracker.adverts {
      let period = advert.advertisement.period
      addresses[period, default: []].insert(advert.advertisement.address)
      guard advert.advertisement.mode == .frame else { continue }
      let frame = try LunaFrame(advertisingData: advert.advertisement.data.span)
      eids[period, default: []].insert(frame.eid)
      #expect(frame.keyRollingCounter == UInt8(truncatingIfNeeded: period))
    }
    #expect(addresses.count >= 2)
    #expect(addresses.values.allSatisfy { $0.count == 1 })
    #expect(eids.values.allSatisfy { $0.count == 1 })
    #expect(Set(addresses.values.flatMap { $0 }).count == addresses.count)
    #expect(Set(eids.values.flatMap { $0 }).count == eids.count)
  }

  @Test("Frames are those of the key schedule; the anchor of the protocol")
  func anchor() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: Period.rotationDelayLimit)
    while try tracker.frame().isConnectable == false { try tracker.run(for: 1000) }
    #expect(try tracker.onAir.period == 1_660_156)
    // Status: battery normal, connectable is 05 here; the anchor's is battery low, 06.
    try tracker.send(.battery(.low))
    #expect(
      Hex.lower(try tracker.onAir.data)
        == "0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593")
  }

  @Test("A period is in flash before its first frame when it is 4 or more ahead of what was there")
  func writeOrder() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: Self.day)
    for advert in tracker.adverts {
      #expect(advert.advertisement.period < advert.storedPeriod + 4)
    }
    // And not more often than that: flash wears out.
    #expect((20...23).contains(tracker.actions.stores.count))
  }

  @Test("Lost clocks never repeat a period; a kept one goes on", arguments: 0..<10)
  func lostClocks(seed: UInt64) throws {
    var tracker = try Simulation.keyed(seed: seed)
    var shown: [Int: Set<UInt32>] = [:]
    for life in 0..<8 {
      let before = tracker.adverts.count
      let length = Int64.random(in: 1...8_000_000, using: &tracker.generator)
      try tracker.run(for: length)
      shown[life] = Set(tracker.adverts[max(0, before - 1)...].map(\.advertisement.period))
      try tracker.restart(clock: nil)
      #expect(tracker.machine.record.isClockUncertain)
      let first = try #require(tracker.adverts.last)
      #expect(first.storedPeriod == first.advertisement.period)
      let highest = try #require(shown.values.flatMap { $0 }.max())
      #expect(first.advertisement.period > highest)
      #expect(first.advertisement.period <= highest + 4)
    }
    // Uncertain until it is set, also when the clock is kept the next time.
    let time = tracker.machine.time(at: tracker.uptime)
    try tracker.restart(clock: time)
    #expect(tracker.machine.record.isClockUncertain)
    #expect(tracker.machine.time(at: tracker.uptime) == time)
  }

  @Test("A clock that was kept but fell back never shows less than what is in flash")
  func fallenBack() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: Self.day)
    let stored = tracker.flash.storedPeriod
    try tracker.restart(clock: Int64(TrackerSamples.time) * 1000)
    #expect(try tracker.onAir.period == stored)
    try tracker.run(for: Self.day / 2)
    #expect(try tracker.onAir.period == stored)
    #expect(!tracker.machine.record.isClockUncertain)
  }

  @Test("Addresses are random static, and never all zero or all one below")
  func addresses() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: Self.day)
    for advert in tracker.adverts {
      #expect(advert.advertisement.address.randomKind == .static)
    }
  }

  @Test("A separated tracker keeps its address for 85 periods, its payload goes on")
  func separatedHold() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 3 * Self.day)
    var periods: [BluetoothAddress: Set<UInt32>] = [:]
    var order: [BluetoothAddress] = []
    for advert in tracker.adverts {
      let advertisement = advert.advertisement
      if order.last != advertisement.address { order.append(advertisement.address) }
      periods[advertisement.address, default: []].insert(advertisement.period)
    }
    #expect(order.count == periods.count)
    // Before it is separated it rotates; then 85 periods each; the last one is not over.
    let counts = order.map { periods[$0]?.count ?? 0 }
    #expect(counts.contains(85))
    #expect(counts.filter { $0 == 85 }.count >= 2)
    #expect(counts.allSatisfy { $0 <= 85 })
    #expect(counts.count <= 8)
  }

  @Test("Separated 30 minutes after the owner, to the millisecond; seen in flag and status")
  func separation() throws {
    var tracker = try Simulation.keyed()
    try tracker.run(for: 1_800_000)
    #expect(!tracker.machine.isSeparated(at: tracker.uptime))
    #expect(try !tracker.frame().isSeparated || tracker.uptime > 1_800_000)
    try tracker.run(for: 1)
    #expect(tracker.machine.isSeparated(at: tracker.uptime))
    let frame = try tracker.frame()
    #expect(frame.isSeparated)
    var schedule = try KeySchedule()
    let control = try #require(schedule.keys(of: TrackerSamples.masterKey).control)
    let status = try schedule.openStatus(
      frame.esf, botp: schedule.botp(control, period: try tracker.onAir.period))
    #expect(status.isSeparated)
    #expect(status.isConnectable == frame.isConnectable)
  }

  @Test("An oscillator that is wrong moves the rotations", arguments: [-200, 35])
  func drift(ppm: Int64) throws {
    var tracker = try Simulation.keyed(oscillator: .init(drift: ppm))
    let begin = tracker.machine.time(at: 0)
    try tracker.run(for: Self.day)
    let passed = tracker.machine.time(at: tracker.uptime) - begin
    let expected = Self.day + Self.day * ppm / 1_000_000
    #expect(abs(passed - expected) <= 1)
  }

  @Test("A clock that was kept may show anything", arguments: [Int64.min, -30_000, .max])
  func anyClock(kept: Int64) throws {
    var tracker = Simulation(TrackerSamples.keyed())
    try tracker.start(clock: kept)
    try tracker.run(for: 64_000)
    // Four cycles of two modes each.
    #expect(tracker.adverts.count >= 8)
  }
}
