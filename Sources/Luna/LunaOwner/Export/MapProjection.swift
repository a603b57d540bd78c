import Glibc

/// Puts points of the ground onto a picture: m east and north of the middle of all points, on a plane
/// that touches the earth there. Good for tracks of a tracker; a world tour is bent.
struct MapProjection: Sendable {
  /// Of the earth on average, m.
  static let radius = 6_371_008.8
  /// m to a degree of latitude.
  static let degree = radius * Double.pi / 180
  /// What is shown at least in each direction, m: one point is a place as well.
  static let smallest = 100.0

  let width: Double
  let height: Double
  /// m to a pixel.
  let scale: Double
  private let middle: (latitude: Double, longitude: Double)
  private let shrink: Double
  private let reference: Double

  /// - Parameters:
  ///   - points: in degrees, with how far around them there is to see, m.
  ///   - margin: pixels that stay free on every side.
  init(
    _ points: [(latitude: Double, longitude: Double, radius: Double)], width: Double,
    height: Double, margin: Double
  ) {
    self.width = width
    self.height = height
    // Longitudes near the first one, so that a track across the date line stays together.
    let reference = points.first?.longitude ?? 0
    self.reference = reference
    let latitudes = points.map(\.latitude)
    let longitudes = points.map { MapProjection.near($0.longitude, reference) }
    let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    let middle = (latitude: (south + north) / 2, longitude: (west + east) / 2)
    self.middle = middle
    let shrink = max(0.01, cos(middle.latitude * .pi / 180))
    self.shrink = shrink
    var (halfWidth, halfHeight) = (MapProjection.smallest, MapProjection.smallest)
    for (index, point) in points.enumerated() {
      let x = abs(longitudes[index] - middle.longitude) * MapProjection.degree * shrink
      let y = abs(point.latitude - middle.latitude) * MapProjection.degree
      halfWidth = max(halfWidth, x + point.radius)
      halfHeight = max(halfHeight, y + point.radius)
    }
    scale = max(
      2 * halfWidth / max(1, width - 2 * margin), 2 * halfHeight / max(1, height - 2 * margin))
  }

  private static func near(_ longitude: Double, _ reference: Double) -> Double {
    if longitude - reference > 180 { return longitude - 360 }
    return longitude - reference < -180 ? longitude + 360 : longitude
  }

  /// Where a point lies on the picture, from its upper left corner.
  func place(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    let east =
      (MapProjection.near(longitude, reference) - middle.longitude) * MapProjection.degree * shrink
    let north = (latitude - middle.latitude) * MapProjection.degree
    return (width / 2 + east / scale, height / 2 - north / scale)
  }

  /// A round length for a scale bar of at most so many pixels, m: 1, 2 or 5 times a power of ten.
  func roundLength(within pixels: Double) -> Double {
    let longest = scale * pixels
    var power = 1e-3
    while power * 10 <= longest { power *= 10 }
    return [5.0, 2, 1].map { $0 * power }.first { $0 <= longest } ?? power
  }
}
