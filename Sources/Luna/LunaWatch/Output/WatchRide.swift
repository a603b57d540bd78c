public import Bluetooth

/// A trip that a tracker was heard on.
public struct WatchRide: Sendable {
  /// When the trip began.
  public let begin: Timestamp
  /// When the trip ended.
  public let end: Timestamp
  /// Where it began, degrees.
  public let from: (latitude: Double, longitude: Double)
  /// Where it ended, degrees.
  public let to: (latitude: Double, longitude: Double)
  /// How far it went, m.
  public let metres: Double
  /// In how many slots of two minutes the tracker was heard.
  public let heard: Int
  /// In how many something was heard.
  public let listened: Int
  /// In how many slots of the visit after it the tracker was heard.
  public let after: Int
  /// Whether the tracker came along.
  public let made: Bool
}
