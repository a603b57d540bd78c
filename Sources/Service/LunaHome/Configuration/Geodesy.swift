import Glibc

/// Distances on the ellipsoid of WGS 84.
enum Geodesy {
  private static let equatorial = 6_378_137.0
  private static let flattening = 1 / 298.257_223_563

  /// The distance of two points in degrees, m, by Lambert's formula for long lines: some ten metres
  /// off over thousands of kilometres.
  static func distance(_ lat1: Double, _ lon1: Double, _ lat2: Double, _ lon2: Double) -> Double {
    let degree = Double.pi / 180
    // Reduced latitudes.
    let b1 = atan((1 - flattening) * tan(lat1 * degree))
    let b2 = atan((1 - flattening) * tan(lat2 * degree))
    let (dLat, dLon) = ((b2 - b1) / 2, (lon2 - lon1) * degree / 2)
    let h = min(1, sin(dLat) * sin(dLat) + cos(b1) * cos(b2) * sin(dLon) * sin(dLon))
    let angle = 2 * asin(h.squareRoot())
    if angle < 1e-12 { return 0 }
    let (p, q) = ((b1 + b2) / 2, (b2 - b1) / 2)
    let (cosHalf, sinHalf) = (cos(angle / 2), sin(angle / 2))
    // Across the Earth the correction has no limit; the sphere is near enough.
    guard cosHalf * cosHalf > 1e-3 else { return 6_371_008.8 * angle }
    let x = (angle - sin(angle)) * square(sin(p) * cos(q)) / square(cosHalf)
    let y = (angle + sin(angle)) * square(cos(p) * sin(q)) / square(sinHalf)
    return equatorial * (angle - flattening / 2 * (x + y))
  }

  private static func square(_ number: Double) -> Double { number * number }
}
