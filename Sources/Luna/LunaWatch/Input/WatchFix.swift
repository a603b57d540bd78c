public import Bluetooth

/// Where the box is.
public struct WatchFix: Sendable {
  /// When it was there.
  public var time: Timestamp
  /// Degrees north, -90 to 90.
  public var latitude: Double
  /// Degrees east, -180 to 180.
  public var longitude: Double
  /// How far off it may be, m; nil where it is not told.
  public var accuracy: Double?

  /// A position in degrees north and east (WGS 84), with its accuracy in m.
  public init(time: Timestamp, latitude: Double, longitude: Double, accuracy: Double? = nil) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }
}
