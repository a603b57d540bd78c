import Bluetooth
import LunaCrypto
import LunaProtocol

extension TrackerMachine {
  /// Brings what is on air up to date: the period (PROTOCOL.md, 4), then the frame (5 to 8).
  mutating func refresh(
    at uptime: Int64, _ actions: inout [TrackerAction],
    using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) {
    let time = time(at: uptime)
    let target = Period.number(at: time)
    if target != self.target {
      self.target = target
      delay = Int64.random(in: 0..<Period.rotationDelayLimit, using: &generator)
    }
    let period = Rotation.periodOnAir(clock: time, delay: delay, minimumPeriod: minimumPeriod)
    if period != show?.period {
      if keys != nil, Rotation.mustStore(period, stored: record.storedPeriod) {
        record.storedPeriod = period
        actions.append(.store(record))
      }
      show = try makeShow(of: period, at: uptime, using: &generator)
    }
    guard link == nil else {
      // Silent while connected (PROTOCOL.md, 12.2).
      if advertisement != nil { actions.append(.silence) }
      advertisement = nil
      return
    }
    let next = try makeAdvertisement(at: uptime)
    if let next, next != advertisement {
      advertisement = next
      actions.append(.advertise(next))
    }
  }

  private func makeShow(
    of period: UInt32, at uptime: Int64, using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> TrackerShow {
    let phase = Int64.random(in: 0..<ModeSchedule.phaseLimit, using: &generator)
    let (address, addressPeriod) = drawAddress(for: period, at: uptime, using: &generator)
    let eid: EID
    let aotp: AOTP
    var botp: SecretBytes?
    if let keys, let location = keys.location, let control = keys.control {
      var schedule = try KeySchedule()
      eid = schedule.eid(keys.identification, period: period)
      aotp = schedule.aotp(location, period: period)
      botp = schedule.botp(control, period: period)
    } else {
      // Zero is what receivers refuse.
      eid = EID(value: UInt64.random(in: 1 ... .max, using: &generator))
      aotp = AOTP(value: UInt64.random(in: 1..<1 << 56, using: &generator))
    }
    var reports = try ReportKeyDeriver()
    return TrackerShow(
      period: period, eid: eid, aotp: aotp, heid: reports.heid(eid: eid, aotp: aotp),
      botp: botp, phase: phase, address: address, addressPeriod: addressPeriod)
  }

  /// A new address; or the old one while a person who is followed should be able to notice.
  private func drawAddress(
    for period: UInt32, at uptime: Int64, using generator: inout some RandomNumberGenerator
  ) -> (BluetoothAddress, UInt32) {
    if let show, isSeparated(at: uptime), period >= show.addressPeriod,
      period - show.addressPeriod < TrackerAddress.separatedHold
    {
      return (show.address, show.addressPeriod)
    }
    while true {
      let random = InlineArray<6, UInt8> { _ in UInt8.random(in: .min ... .max, using: &generator) }
      if let address = TrackerAddress.randomStatic(random) { return (address, period) }
    }
  }

  /// When ``Event/timePassed`` has to be told at the latest, ms of uptime; nil before the
  /// start.
  public var nextDeadline: Int64? {
    guard let target, let show else { return nil }
    let start = Period.start(of: target)
    var times = [start + delay, start + Period.milliseconds]
    if record.ownership != nil, separationTime < .max { times.append(separationTime + 1) }
    let uptimes = [
      soundUntil, lightUntil, buttonPressedAt.map { $0 + ModeSchedule.buttonTime },
      buttonDownSince.map { $0 + TrackerMachine.resetHold },
      link.map { $0.lastActivity + TrackerLink.idleLimit },
    ]
    let now = lastUptime
    let clockNow = time(at: now)
    times.append(slotEnd(after: clockNow, phase: show.phase))
    let first = times.filter { $0 > clockNow }.map { clock.uptime(reaching: $0) }.min()
    let second = uptimes.compactMap { $0 }.filter { $0 > now }.min()
    return [first, second].compactMap { $0 }.min()
  }

  /// When the mode changes next, ms of the clock.
  private func slotEnd(after time: Int64, phase: Int64) -> Int64 {
    let cycle = ModeSchedule.cycle
    // Before the epoch the remainder is negative.
    let inCycle = ((time / clock.speed + phase) % cycle + cycle) % cycle
    let limit = inCycle < ModeSchedule.iBeaconTime ? ModeSchedule.iBeaconTime : cycle
    return (time / clock.speed + limit - inCycle) * clock.speed
  }

  /// Ends what lasts for a while.
  mutating func expire(at uptime: Int64, _ actions: inout [TrackerAction]) {
    lastUptime = max(lastUptime, uptime)
    if let soundUntil, uptime >= soundUntil { endSound(&actions) }
    if let lightUntil, uptime >= lightUntil {
      self.lightUntil = nil
      actions.append(.stopLight)
    }
    if let buttonPressedAt, uptime - buttonPressedAt >= ModeSchedule.buttonTime {
      self.buttonPressedAt = nil
    }
    if let buttonDownSince, uptime - buttonDownSince >= TrackerMachine.resetHold {
      self.buttonDownSince = nil
      resetToFactory(at: uptime, &actions)
    }
    if let link, uptime - link.lastActivity >= TrackerLink.idleLimit {
      // Once; the disconnection will be told.
      self.link?.lastActivity = .max - TrackerLink.idleLimit
      actions.append(.disconnect)
    }
  }
}
