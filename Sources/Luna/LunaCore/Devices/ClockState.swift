public import LunaProtocol

/// What is kept of a device's clock across restarts (PROTOCOL.md, 11.2 and 11.3).
public struct ClockState: Hashable, Sendable {
  /// What is known of the clock.
  public var interval: ClockInterval
  /// What sightings outside the expected window tell, until they are believed or refuted.
  public var provisional: ProvisionalTrack?

  /// A state of these parts.
  public init(interval: ClockInterval, provisional: ProvisionalTrack? = nil) {
    self.interval = interval
    self.provisional = provisional
  }

  /// The state of an estimator.
  public init(_ estimator: ClockEstimator) {
    self.init(interval: estimator.interval, provisional: estimator.provisional)
  }

  /// An estimator that goes on from here.
  ///
  /// - Parameter ppm: the bound of the oscillator's error, parts per million.
  public func estimator(ppm: Int64 = ClockInterval.defaultPPM) -> ClockEstimator {
    ClockEstimator(interval: interval, provisional: provisional, ppm: ppm)
  }
}
