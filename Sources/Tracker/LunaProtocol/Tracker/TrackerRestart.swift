/// With what a tracker starts again (PROTOCOL.md, 4).
public struct TrackerRestart: Hashable, Sendable {
  /// What the clock goes on from, Unix ms.
  public let clock: Int64
  /// The lowest period that may be shown.
  public let minimumPeriod: UInt32
  /// Whether the clock was lost; shown in the status until it is set.
  public let isClockUncertain: Bool

  /// Starts from the period in flash.
  ///
  /// - Parameters:
  ///   - storedPeriod: the period in flash.
  ///   - clock: the clock if it was kept, ms; nil when it was lost.
  public init(storedPeriod: UInt32, clock: Int64?) {
    if let clock {
      self.clock = clock
      minimumPeriod = storedPeriod
      isClockUncertain = false
    } else {
      let (next, overflow) = storedPeriod.addingReportingOverflow(Rotation.storeStep)
      minimumPeriod = overflow ? .max : next
      self.clock = Period.start(of: minimumPeriod)
      isClockUncertain = true
    }
  }
}
