public import Bluetooth

/// Where a machine is, as a location source tells; what it does not tell is nil.
public struct LocationFix: Hashable, Sendable {
  /// Degrees, -90 to 90.
  public var latitude: Double
  /// Degrees, -180 to 180.
  public var longitude: Double
  /// m above the WGS84 ellipsoid.
  public var altitude: Double?
  /// How far off the position may be on the ground, m, not negative.
  public var horizontalAccuracy: Double?
  /// How far off ``altitude`` may be, m, not negative.
  public var verticalAccuracy: Double?
  /// How fast the machine moves over the ground, m/s, not negative.
  public var speed: Double?
  /// Degrees from north, 0 to 360.
  public var course: Double?
  /// When it was measured; nil for a place that does not move, which never grows old.
  public var measuredAt: Timestamp?
  /// Whether it comes from a simulated source.
  public var isSimulated: Bool

  /// A position, and what else is known.
  public init(
    latitude: Double, longitude: Double, altitude: Double? = nil,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
    course: Double? = nil, measuredAt: Timestamp? = nil, isSimulated: Bool = false
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
    self.measuredAt = measuredAt
    self.isSimulated = isSimulated
  }
}
