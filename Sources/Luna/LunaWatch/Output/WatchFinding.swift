public import Beacons
public import Bluetooth

/// Something that may follow, with what speaks for it.
public struct WatchFinding: Sendable {
  /// When it was found.
  public let time: Timestamp
  /// How much speaks for it.
  public let grade: WatchGrade
  /// Which maker's trackers it is one of; the same for all its identifiers.
  public let family: BeaconFamily
  /// The identifiers, in the order of time.
  public let identifiers: [WatchIdentifier]
  /// How sure it is that they are one tracker, 0 to 1.
  public let confidence: Double
  /// The trips that it came along on.
  public let trips: Int
  /// The places that those joined.
  public let places: Int
  /// Minutes from the first of them to the last time that it was heard, or for which it was heard.
  public let minutes: Int
  /// How far these trips went together, m.
  public let metres: Int
  /// What speaks for it, for programs.
  public let reasons: [WatchReason]
  /// All trips that it was heard on.
  public let rides: [WatchRide]
  /// The links between the identifiers.
  public let links: [WatchLink]
  /// The median of its signal at the last, dBm.
  public let rssi: Int?
  /// Why it is not judged; nil for a stranger's.
  public let exclusion: WatchExclusion?
}
