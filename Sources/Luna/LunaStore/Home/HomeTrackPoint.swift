/// Where a tracker was, as it was kept.
public struct HomeTrackPoint: Hashable, Sendable {
  /// When, µs since 1970.
  public let time: Int64
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// How far off it may be, m.
  public let accuracy: Double
  /// Who says so: `report`, or `box` for a tracker that was heard here.
  public let source: String
  /// Tells reports of one time apart.
  public let report: Int64

  /// Where a tracker was.
  public init(
    time: Int64, latitude: Double, longitude: Double, accuracy: Double, source: String,
    report: Int64
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.source = source
    self.report = report
  }
}
