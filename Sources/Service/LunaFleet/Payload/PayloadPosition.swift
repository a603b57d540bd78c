/// Where a label says that a gateway is.
public struct PayloadPosition: Hashable, Sendable {
  /// 10⁻⁷ degrees, -900,000,000 to 900,000,000.
  public let latitude: Int32
  /// 10⁻⁷ degrees, -1,800,000,000 to 1,800,000,000.
  public let longitude: Int32

  /// A position in 10⁻⁷ degrees; nil where there is none such on earth.
  public init?(latitude: Int32, longitude: Int32) {
    guard (-900_000_000...900_000_000).contains(latitude),
      (-1_800_000_000...1_800_000_000).contains(longitude)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A position in degrees.
  public init?(degrees: (latitude: Double, longitude: Double)) {
    guard (-90...90).contains(degrees.latitude), (-180...180).contains(degrees.longitude) else {
      return nil
    }
    self.init(
      latitude: Int32((degrees.latitude * 1e7).rounded()),
      longitude: Int32((degrees.longitude * 1e7).rounded()))
  }

  /// The same in degrees.
  public var degrees: (latitude: Double, longitude: Double) {
    (Double(latitude) / 1e7, Double(longitude) / 1e7)
  }
}
