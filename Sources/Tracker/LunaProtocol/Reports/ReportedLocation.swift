/// Where and how a tracker was heard, as a finder knows it; what it does not know is nil. See
/// ``LocationRecord`` for what of it goes into a report.
public struct ReportedLocation: Hashable, Sendable {
  /// When the tracker was heard, Unix ms.
  public var collectedAt: Int64
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
  /// How fast the finder moves over the ground, m/s, not negative.
  public var speed: Double?
  /// Degrees from north, 0 to 360.
  public var course: Double?
  /// dBm, -128 to 126.
  public var rssi: Int?
  /// Whether the position comes from a simulated source.
  public var isSimulated: Bool

  /// A position, and what else is known.
  public init(
    collectedAt: Int64, latitude: Double, longitude: Double, altitude: Double? = nil,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
    course: Double? = nil, rssi: Int? = nil, isSimulated: Bool = false
  ) {
    self.collectedAt = collectedAt
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
    self.rssi = rssi
    self.isSimulated = isSimulated
  }
}
