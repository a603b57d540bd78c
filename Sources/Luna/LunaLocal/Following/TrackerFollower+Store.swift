package import LunaCore
package import LunaProtocol

// What others change in the store while a scan is on: another part of the program, or another process.

extension TrackerFollower {
  /// A clock that others have kept counts also where one was heard a little later than it is, ms: as long as it takes
  /// until that is kept here.
  private static let grace: Int64 = 60_000

  /// Takes up the clocks that others have kept, where they say more than one's own. What a tracker has proven of its
  /// own takes the place of what hearing it has taught, at once (PROTOCOL.md, 11.3); what is older than that does not,
  /// nor what another program has heard that says no more than what was heard here.
  ///
  /// Tracks that others do not believe yet are not taken up: whoever hears the tracker has one of its own, and what one
  /// leads to is a clock.
  ///
  /// - Parameter clocks: what the store has.
  /// - Returns: whose clocks were taken up.
  package func takeUp(_ clocks: [DeviceUUID: ClockState]) -> Set<DeviceUUID> {
    var taken: Set<DeviceUUID> = []
    for device in tracked where device.device.hasClock && !device.isForgotten {
      let uuid = device.device.uuid
      guard let clock = clocks[uuid]?.interval, clock != device.kept else { continue }
      device.kept = clock
      let own = device.estimator
      guard isNews(clock, besides: own) else { continue }
      // A track that was heard since, and that this clock does not explain, goes on.
      let track = own.provisional.flatMap { track in
        track.interval.time > clock.time && !track.interval.agrees(with: clock, ppm: own.ppm)
          ? track : nil
      }
      device.estimator = ClockEstimator(
        interval: clock, provisional: track, ppm: own.ppm, rotation: device.rotation)
      device.aside = nil
      // A track of one's own is kept with the next news.
      device.isDirty = false
      taken.insert(uuid)
      if time != .min { refresh(device) }
    }
    return taken
  }

  private func isNews(_ clock: ClockInterval, besides estimator: ClockEstimator) -> Bool {
    let own = estimator.interval
    // Bounds that contradict each other say nothing.
    guard clock.low <= clock.high else { return false }
    // Our clock was ahead when that was learned: whoever knows better has it put right.
    if own.time > time { return true }
    let (later, overflow) = own.time.subtractingReportingOverflow(clock.time)
    guard !overflow, later <= TrackerFollower.grace else { return false }
    return !own.implies(clock, ppm: estimator.ppm)
  }

  /// These clocks are in the store now.
  package func note(kept clocks: [DeviceUUID: ClockState]) {
    guard !clocks.isEmpty else { return }
    for device in tracked {
      if let clock = clocks[device.device.uuid] { device.kept = clock.interval }
    }
  }

  /// Which devices are followed with other keys than they have now: imported anew, or given for longer.
  ///
  /// - Parameter devices: as the store has them.
  package func outdated(_ devices: [Device]) -> Set<DeviceUUID> {
    var present: [DeviceUUID: DeviceKeys] = [:]
    for device in tracked where !device.isForgotten {
      present[device.device.uuid] = device.device.keys
    }
    var outdated: Set<DeviceUUID> = []
    for device in devices where device.masterKey != nil || device.shared != nil {
      if let keys = present[device.uuid], keys != device.keys { outdated.insert(device.uuid) }
    }
    return outdated
  }
}

extension ClockInterval {
  /// Both at the later one's time.
  private func together(with other: ClockInterval, ppm: Int64) -> (
    own: ClockInterval, other: ClockInterval
  ) {
    let time = max(self.time, other.time)
    return (aged(to: time, ppm: ppm), other.aged(to: time, ppm: ppm))
  }

  /// Whether one clock fits into both.
  fileprivate func agrees(with other: ClockInterval, ppm: Int64) -> Bool {
    let (mine, theirs) = together(with: other, ppm: ppm)
    return mine.low <= theirs.high && theirs.low <= mine.high
  }

  /// Whether every clock that fits into this one fits into the other as well, so that the other tells nothing.
  fileprivate func implies(_ other: ClockInterval, ppm: Int64) -> Bool {
    let (mine, theirs) = together(with: other, ppm: ppm)
    return low <= high && theirs.low <= mine.low && mine.high <= theirs.high
  }
}
