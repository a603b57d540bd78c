public import LunaCore
public import LunaProtocol

/// What a share gives, and until when (SHARING.md, 2).
public struct ShareGrant: Sendable {
  /// What the owner calls the tracker.
  public var name: String
  /// What it is; empty where nobody said so.
  public var model: String
  /// Where the owner asks for reports; empty where the owner has no backend. Only compared with one's
  /// own, never contacted.
  public var backend: String
  /// What the owner knows of the tracker's clock, where one's own knowledge begins.
  public var clock: ClockInterval
  /// The values of the periods.
  public var periods: SharedPeriods

  /// What a share gives; `backend` is only compared, never contacted.
  public init(
    name: String, model: String, backend: String, clock: ClockInterval, periods: SharedPeriods
  ) {
    self.name = name
    self.model = model
    self.backend = backend
    self.clock = clock
    self.periods = periods
  }
}
