/// A clock that sightings outside the expected window agree on, and that is not believed yet
/// (PROTOCOL.md, 11.3): it may be a recording that is played again.
public struct ProvisionalTrack: Hashable, Sendable {
  /// The number of distinct periods that make a track believed.
  public static let periodsToPromote = 3

  /// The clock that it tells.
  public var interval: ClockInterval
  /// The last period heard.
  public var lastPeriod: UInt32
  /// The number of distinct periods heard, one after the other.
  public var distinctPeriods: Int

  /// A track with this history.
  public init(interval: ClockInterval, lastPeriod: UInt32, distinctPeriods: Int) {
    self.interval = interval
    self.lastPeriod = lastPeriod
    self.distinctPeriods = distinctPeriods
  }
}
