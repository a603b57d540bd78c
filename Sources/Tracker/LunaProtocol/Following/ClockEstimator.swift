/// Follows the clock of one tracker by its sightings (PROTOCOL.md, 11).
public struct ClockEstimator: Hashable, Sendable {
  /// What is known of the clock.
  public private(set) var interval: ClockInterval
  /// What sightings outside the expected window tell, until they are believed or refuted.
  public private(set) var provisional: ProvisionalTrack?
  /// The bound of the oscillator's error, parts per million.
  public let ppm: Int64
  /// When its identifiers change.
  public let rotation: RotationSchedule

  /// An estimator with a state that was kept.
  public init(
    interval: ClockInterval, provisional: ProvisionalTrack? = nil,
    ppm: Int64 = ClockInterval.defaultPPM, rotation: RotationSchedule = .luna
  ) {
    self.interval = interval
    self.provisional = provisional
    self.ppm = ppm
    self.rotation = rotation
  }

  /// An estimator for a tracker that was not heard since it was onboarded.
  ///
  /// - Parameter onboardingTimestamp: the time that the tracker was given, Unix s.
  public init(onboardingTimestamp: UInt32, ppm: Int64 = ClockInterval.defaultPPM) {
    self.init(interval: ClockInterval(onboardingTimestamp: onboardingTimestamp), ppm: ppm)
  }

  /// The periods that may be heard at a time.
  public func candidates(at time: Int64) -> PeriodRange {
    interval.candidates(at: time, ppm: ppm, rotation: rotation)
  }

  /// Takes in that a period was heard, whether it was a candidate or found by a wide search.
  ///
  /// - Parameters:
  ///   - time: when, the owner's Unix ms.
  ///   - isStatusVerified: whether the ESF opened with the keys of that period; only asked outside
  ///     the expected window.
  public mutating func observe(
    period: UInt32, at time: Int64, isStatusVerified: Bool
  ) -> SightingOutcome {
    switch interval.update(period: period, at: time, ppm: ppm, rotation: rotation) {
    case .older: return .older
    case .unchanged:
      provisional = nil
      return .unchanged
    case .updated:
      provisional = nil
      return .updated
    case .stepped: break
    }
    guard isStatusVerified else { return .rejected }
    if var track = provisional {
      if time < track.interval.time { return .older }
      if period >= track.lastPeriod,
        track.interval.update(period: period, at: time, ppm: ppm, rotation: rotation) != .stepped
      {
        if period > track.lastPeriod { track.distinctPeriods += 1 }
        track.lastPeriod = period
        if track.distinctPeriods >= ProvisionalTrack.periodsToPromote {
          replace(with: track.interval)
          return .promoted
        }
        provisional = track
        return .provisional
      }
    }
    provisional = ProvisionalTrack(
      interval: ClockInterval(period: period, heardAt: time, rotation: rotation),
      lastPeriod: period,
      distinctPeriods: 1)
    return .provisional
  }

  /// Starts from a verified reading or setting of the clock, which needs no second witness.
  public mutating func replace(with interval: ClockInterval) {
    self.interval = interval
    provisional = nil
  }

  /// The owner's clock was set: the same is known, counted from the new time.
  ///
  /// - Parameter step: by how much it was set forward, ms.
  public mutating func ownerClockStepped(by step: Int64) {
    interval = interval.afterOwnerClockStep(of: step)
    if let track = provisional {
      provisional?.interval = track.interval.afterOwnerClockStep(of: step)
    }
  }
}
