package import LunaCore
package import LunaProtocol

// What others change in the store while a scan is on: another part of the program, or another process.

extension TrackerFollower {
  /// A clock that others have kept counts also where one was heard a little later than it is, ms: as long as it takes
  /// until that is kept here.
  private static let grace: Int64 = 60_000

  /// Takes up the clocks that others have kept. What a tracker has proven of its own takes the place of what hearing it
  /// has taught, at once (PROTOCOL.md, 11.3); what is older than that does not.
  ///
  /// - Parameter clocks: what the store has.
  /// - Returns: whose clocks were taken up.
  package func takeUp(_ clocks: [DeviceUUID: ClockState]) -> Set<DeviceUUID> {
    var taken: Set<DeviceUUID> = []
    for device in tracked where device.device.hasClock && !device.isForgotten {
      let uuid = device.device.uuid
      guard let clock = clocks[uuid], clock.interval != device.kept else { continue }
      device.kept = clock.interval
      guard isNews(clock.interval, besides: device.estimator.interval) else { continue }
      device.estimator = ClockEstimator(
        interval: clock.interval, provisional: clock.provisional, ppm: configuration.ppm,
        rotation: device.rotation)
      device.aside = nil
      device.isDirty = false
      taken.insert(uuid)
      if time != .min { refresh(device) }
    }
    return taken
  }

  private func isNews(_ clock: ClockInterval, besides own: ClockInterval) -> Bool {
    // Our clock was ahead when that was learned: whoever knows better has it put right.
    if own.time > time { return true }
    let (later, overflow) = own.time.subtractingReportingOverflow(clock.time)
    return !overflow && later <= TrackerFollower.grace
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
