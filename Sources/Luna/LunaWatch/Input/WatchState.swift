/// How a tracker says that it stands with its owner.
public enum WatchState: UInt8, Sendable {
  /// Its owner's device is near.
  case nearOwner
  /// It is away from its owner.
  case separated
  /// It does not say.
  case unknown
  /// It is away from its owner for more than a day.
  case longSeparated
}
