import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// What a sighting means for a device.
extension TrackerFollower {
  /// A drift beyond this says that one of the clocks is wrong, ms.
  private static let wrongClock: UInt64 = 3_600_000
  /// How often a sighting with a known identifier is stored, µs.
  private static let storeInterval: Int64 = 60_000_000

  /// Takes a sighting with a period; false when it is to be ignored.
  func observe(
    _ device: TrackedDevice, _ entry: UInt32, _ heard: Heard, into updates: inout [LocalUpdate]
  ) -> Bool {
    // The key of a day says too little about the clock to be counted, one for ever nothing.
    let isOfADay =
      device.device.keys.kind == .appleFindMy && entry & IdentifierKey.secondSequence != 0
    if isOfADay || !device.device.hasClock {
      sight(device, nil, heard, into: &updates)
      return true
    }
    if let frame = heard.frame, device.openedESF != frame.esf || device.openedPeriod != entry {
      device.openedESF = frame.esf
      device.openedPeriod = entry
      device.status = deriver.status(of: frame, device, period: entry)
    }
    // Whole identifiers of other families are as hard to guess as a status is to forge. Who was not
    // given the status cannot verify it (SHARING.md, 2).
    let isBlind = device.device.shared?.rights.status == false
    let isVerified = heard.frame == nil || device.status != nil || isBlind
    let outcome = follow(device, entry, isVerified: isVerified)
    guard outcome != .rejected else { return false }
    let drift = Drift(period: entry, receivedAt: time, rotation: device.rotation)
    if outcome == .provisional || outcome == .promoted {
      refresh(device)
      if drift.milliseconds.magnitude > TrackerFollower.wrongClock {
        tell(.clockDisagrees(device.device.uuid, seconds: 0 &- drift.milliseconds / 1000))
      }
    }
    sight(device, (entry, drift, outcome), heard, into: &updates)
    return true
  }

  private func follow(
    _ device: TrackedDevice, _ period: UInt32, isVerified: Bool
  ) -> SightingOutcome {
    let before = device.estimator
    var outcome = device.estimator.observe(period: period, at: time, isStatusVerified: isVerified)
    if outcome == .promoted, let until = device.statusSharedUntil, time < until.unixMilliseconds {
      // Whoever was given the status could forge all that would be believed now: only what the tracker itself
      // proves moves its clock so far (SHARING.md, 1).
      device.estimator = before
      outcome = .provisional
    }
    if outcome == .older, isVerified, !configuration.isRecording, before.interval.time > time,
      !before.candidates(at: time).contains(period)
    {
      outcome = followAside(device, period)
    }
    if device.estimator != before {
      device.isDirty = true
      hasNews = true
    }
    if [.unchanged, .updated].contains(outcome) || outcome == .promoted && device.aside == nil {
      device.isClockOwn = true
      device.aside = nil
    }
    return outcome
  }

  /// What is known lies in the future: our clock is behind, or was ahead when it was learned. The
  /// state stays as it is (PROTOCOL.md, 11.3, rule 1), so that nothing is lost when our clock is put
  /// right; beside it a track is kept for as long as this scan lasts, so that the device is followed.
  private func followAside(_ device: TrackedDevice, _ period: UInt32) -> SightingOutcome {
    // No sighting fits into no time at all: the first ones go to the provisional track.
    var aside =
      device.aside
      ?? ClockEstimator(
        interval: ClockInterval(low: .max / 4, high: .min / 4, time: time),
        ppm: device.estimator.ppm, rotation: device.rotation)
    let outcome = aside.observe(period: period, at: time, isStatusVerified: true)
    device.aside = aside
    return outcome == .promoted ? .promoted : outcome == .provisional ? .provisional : .older
  }

  /// Takes any sighting of a tracked device.
  func sight(
    _ device: TrackedDevice, _ found: (UInt32, Drift, SightingOutcome)?, _ heard: Heard,
    into updates: inout [LocalUpdate]
  ) {
    counters.tracked += 1
    let wasPresent = device.isPresent
    let key = found == nil && heard.frame == nil && heard.identifier.isEmpty ? nil : heard.key
    let isNewKey = key != nil && key != device.currentKey
    noteAddress(device, heard, isNewKey: isNewKey)
    if let key { device.currentKey = key }
    if let found { device.currentPeriod = found.0 }
    device.isPresent = true
    let event = event(device, found, wasPresent: wasPresent, isNewKey: isNewKey)
    let isKept =
      isNewKey || device.lastHeard == .unknown || !wasPresent
      || now.microseconds &- device.storedAt.microseconds >= TrackerFollower.storeInterval
    device.lastHeard = now
    recency.use(Int(device.number))

    let received = configuration.time(now)
    let heid = isNewKey ? heard.frame.map { deriver.reports.heid(eid: $0.eid, aotp: $0.aotp) } : nil
    let clock = device.device.hasClock ? ClockBounds(device.present, at: time) : nil
    let status = heard.frame == nil ? nil : device.status
    let wasLow = device.local.snapshot.batteryLowLevel == true
    let state = device.local.update { state in
      state.hear(heard, at: received)
      state.timedOut = false
      state.clock = clock
      state.isProvisional =
        device.estimator.provisional != nil || device.aside != nil
      if let frame = heard.frame {
        state.status = status
        state.batteryLowLevel = status?.battery.isLow ?? nil
        state.flagsDiffer =
          status.map {
            $0.isConnectable != frame.isConnectable || $0.isSeparated != frame.isSeparated
          } ?? false
      }
      if let found { state.period = found.0 }
      if isNewKey {
        let eid = heard.text
        state.eid = eid
        state.heid = heid.map { Hex.lower($0.bytes.span) }
        state.append(
          found.map { TimestampedEid(eid: eid, receivedAt: received, drift: $0.1) }
            ?? TimestampedEid(eid: eid, receivedAt: received))
      }
      return state
    }
    guard !device.isHidden else {
      if !wasPresent, !device.isBeingOnboarded { tell(.pendingHeard(device.device.uuid)) }
      return
    }
    updates.append(
      LocalUpdate(
        event: event, device: device.local, state: state,
        expectedAt: found.map { Timestamp(unixMilliseconds: $0.1.expectedAt) },
        drift: found?.1.seconds))
    if !wasLow, state.batteryLowLevel == true {
      updates.append(
        LocalUpdate(
          event: .batteryLow, device: device.local, state: state, expectedAt: nil, drift: nil))
    }
    if isKept { keep(device, heard, state) }
  }

  private func event(
    _ device: TrackedDevice, _ found: (UInt32, Drift, SightingOutcome)?, wasPresent: Bool,
    isNewKey: Bool
  ) -> LocalUpdate.Event {
    let told = device.toldDrift
    if let found { device.toldDrift = found.1.milliseconds }
    guard wasPresent else { return .appeared }
    guard !isNewKey else { return .rotated }
    guard let found else { return .seen }
    let isDifferent = (told != 0) != (found.1.milliseconds != 0)
    return isDifferent || found.2 == .promoted ? .drift : .seen
  }

  /// The address belongs to the identifier: both change in one step.
  private func noteAddress(_ device: TrackedDevice, _ heard: Heard, isNewKey: Bool) {
    let state = device.local.snapshot
    guard let address = heard.addressKey else { return }
    let isSame =
      state.address == heard.report.address && state.addressType == heard.report.addressType
    if isNewKey { device.formerAddress = nil }
    if isSame {
      addresses[address] = device.number
      return
    }
    if let former = state.address, state.addressType.hasAddress {
      let formerKey = former.value | UInt64(state.addressType == .public ? 1 : 0) << 48
      if addresses[formerKey] == device.number { addresses[formerKey] = nil }
      if !isNewKey, heard.key == device.currentKey {
        if device.formerAddress == heard.report.address { tell(.twoSenders(device.device.uuid)) }
        device.formerAddress = former
      }
    }
    addresses[address] = device.number
    // What was taken for a foreign device until now.
    let identity = ForeignDevice.Identity.address(
      heard.report.address.value, heard.report.addressType)
    if let number = foreignNumbers[identity] { removeForeign(number) }
  }

  private func keep(_ device: TrackedDevice, _ heard: Heard, _ state: LocalDevice.State) {
    guard let key = heard.key ?? device.currentKey else { return }
    device.storedAt = now
    hasNews = true
    sightings.append(
      Sighting(
        device: device.device.uuid, receivedAt: configuration.time(now),
        address: heard.report.address, rssi: heard.report.rssi.map(Int.init),
        eid: heard.identifier.isEmpty ? key.bigEndianBytes : heard.identifier,
        period: device.device.hasClock ? device.currentPeriod : nil,
        batteryLow: state.batteryLowLevel))
  }

  func sightForeign(_ heard: Heard, into updates: inout [LocalUpdate]) {
    counters.foreign += 1
    let identity: ForeignDevice.Identity
    if heard.report.addressType.hasAddress {
      identity = .address(heard.report.address.value, heard.report.addressType)
    } else if let key = heard.key {
      identity = .anonymous(key)
    } else {
      return
    }
    var event = LocalUpdate.Event.seen
    let number: Int
    if let known = foreignNumbers[identity] {
      number = known
    } else {
      number = addForeign(identity)
      event = .appeared
    }
    guard var device = foreign[number] else { return }
    let isNewKey = heard.key != nil && heard.key != device.key
    if isNewKey {
      if event == .seen { event = .rotated }
      device.key = heard.key
    }
    device.lastHeard = now
    foreign[number] = device
    foreignRecency.use(number)
    let received = configuration.time(now)
    let heid = isNewKey ? heard.frame.map { deriver.reports.heid(eid: $0.eid, aotp: $0.aotp) } : nil
    let state = device.local.update { state in
      state.hear(heard, at: received)
      state.timedOut = false
      if isNewKey, let frame = heard.frame {
        state.eid = heard.text
        state.heid = frame.isOnboardable ? nil : heid.map { Hex.lower($0.bytes.span) }
        state.append(TimestampedEid(eid: heard.text, receivedAt: received))
      }
      return state
    }
    updates.append(
      LocalUpdate(event: event, device: device.local, state: state, expectedAt: nil, drift: nil))
  }

  private func addForeign(_ identity: ForeignDevice.Identity) -> Int {
    if foreignNumbers.count >= max(1, configuration.foreignLimit) {
      foreignRecency.first.map(removeForeign)
    }
    let device = ForeignDevice(
      local: LocalDevice(LocalDevice.State(kind: .luna)), identity: identity, lastHeard: now)
    let number: Int
    if let free = freeForeign.popLast() {
      number = free
      foreign[number] = device
    } else {
      number = foreign.count
      foreign.append(device)
    }
    foreignNumbers[identity] = number
    return number
  }

  func removeForeign(_ number: Int) {
    guard let device = foreign[number] else { return }
    foreignRecency.remove(number)
    foreignNumbers[device.identity] = nil
    foreign[number] = nil
    freeForeign.append(number)
  }
}

extension Heard {
  /// The identifier in lower-case hexadecimal digits.
  fileprivate var text: String {
    if let frame { return frame.eid.description }
    if !identifier.isEmpty { return Hex.lower(identifier.span) }
    return key.map { Hex.lower($0.bigEndianBytes.span) } ?? ""
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
  }
}

extension LocalDevice.State {
  /// What any report says.
  fileprivate mutating func hear(_ heard: Heard, at time: Timestamp) {
    let report = heard.report
    address = report.address
    addressType = report.addressType
    lastSeenDate = time
    if firstSignalDate == nil { firstSignalDate = time }
    if signal.takes(report), let value = report.rssi { rssi = Double(value) }
    if let isConnectable = heard.isConnectable { connectable = isConnectable }
    guard let frame = heard.frame else { return }
    separated = frame.isSeparated
    onboardable = frame.isOnboardable
    esf = frame.esf
  }

  /// An identifier is listed once, however often it comes back.
  fileprivate mutating func append(_ eid: TimestampedEid) {
    guard !timestampedEids.contains(where: { $0.eid == eid.eid }) else { return }
    if timestampedEids.count >= LocalDevice.eidCount { timestampedEids.removeFirst() }
    timestampedEids.append(eid)
  }
}
