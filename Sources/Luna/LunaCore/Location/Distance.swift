import Glibc

/// Distances on the ground.
package enum Distance {
  /// The mean radius of the earth (IUGG), m.
  private static let radius = 6_371_008.8

  /// The length of the great circle between two points in degrees, m (haversine formula).
  package static func metres(
    _ first: (latitude: Double, longitude: Double), _ second: (latitude: Double, longitude: Double)
  ) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let latitude = sin(radians(second.latitude - first.latitude) / 2)
    let longitude = sin(radians(second.longitude - first.longitude) / 2)
    let share =
      latitude * latitude + cos(radians(first.latitude)) * cos(radians(second.latitude))
      * longitude * longitude
    return 2 * radius * asin(min(1, share.squareRoot()))
  }
}
