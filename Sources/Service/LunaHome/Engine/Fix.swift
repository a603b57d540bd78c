/// Where a tracker was.
public struct Fix: Hashable, Sendable, Codable {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// How far off it may be, m, not negative.
  public let accuracy: Double
  /// When, µs since 1970.
  public let time: Int64
  /// Which report says so: fixes of one report confirm nothing.
  public let report: String

  /// A fix.
  ///
  /// - Parameter accuracy: m; nil where nobody knows, which counts as 200 m.
  public init(
    latitude: Double, longitude: Double, accuracy: Double?, time: Int64, report: String
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy.map { $0 >= 0 ? $0 : 200 } ?? 200
    self.time = time
    self.report = report
  }

  /// Whether it can be on the Earth.
  var isPlausible: Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude) && accuracy.isFinite
  }

  /// The speed from another one to here, m/s; the two are not at one moment.
  func speed(from other: Fix) -> Double {
    let distance = Geodesy.distance(other.latitude, other.longitude, latitude, longitude)
    return distance / (Double(max(1, abs(time - other.time))) / 1_000_000)
  }
}
