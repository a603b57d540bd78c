public import Bluetooth

/// Where the box is.
public struct WatchFix: Sendable {
  /// When it was there.
  public var time: Timestamp
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// m; nil where it is not told.
  public var accuracy: Double?

  /// A position in degrees north and east (WGS 84), with its accuracy in m.
  public init(time: Timestamp, latitude: Double, longitude: Double, accuracy: Double? = nil) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }
}
