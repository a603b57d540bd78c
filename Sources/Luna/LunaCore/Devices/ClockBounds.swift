public import LunaProtocol

/// Between which limits a device's clock less the owner's is now.
public struct ClockBounds: Hashable, Sendable {
  /// The lower bound, s; negative: the device's clock may be behind.
  public let low: Double
  /// The upper bound, s.
  public let high: Double
  /// The bound of the oscillator's error, parts per million.
  public let ppm: Int64

  /// The bounds of an estimator at a time.
  ///
  /// - Parameter time: Unix ms.
  public init(_ estimator: ClockEstimator, at time: Int64) {
    let aged = estimator.interval.aged(to: time, ppm: estimator.ppm)
    low = Double(aged.low) / 1000
    high = Double(aged.high) / 1000
    ppm = estimator.ppm
  }
}
