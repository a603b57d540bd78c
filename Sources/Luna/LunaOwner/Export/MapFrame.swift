import Glibc
import LunaProtocol

/// What of a map's places its picture is made large enough for: one wrong position in another town must not
/// make a dot of all the others.
///
/// The middle is the median of all places. Of four places or more a tenth, but at least one, may be left
/// out, and is where it lies more than five times as far from the middle as the farthest of the others. So
/// home and work of a commute both stay, however far from each other, as each has more than a tenth of the
/// events; so does a journey, whose ends are not five times as far away as most of it; and of two or
/// three places nobody can say which one is the wrong one.
package struct MapFrame: Sendable {
  /// In degrees, with how far around it there is to see, m.
  typealias Place = (latitude: Double, longitude: Double, radius: Double)

  /// With fewer places none is an outlier.
  private static let fewest = 4
  /// One of how many may be an outlier.
  private static let part = 10
  /// How many times as far as the others an outlier is.
  private static let factor = 5.0
  /// What is nearer than this is no outlier, m: where the others are all at one spot, the factor says nothing.
  private static let least = 1000.0

  /// How far each place is from the middle, m.
  let distances: [Double]
  /// Whether each place belongs to those that the picture is made for.
  package let isWithin: [Bool]
  /// The places that the picture is made for.
  let framed: [Place]

  package init(_ events: [Event]) {
    let places: [Place] = events.map {
      ($0.latitude, $0.longitude, $0.location.horizontalAccuracy ?? 0)
    }
    self.init(places)
  }

  init(_ places: [Place]) {
    let directions = places.map(MapFrame.direction)
    let middle = MapFrame.middle(of: directions)
    let distances = directions.map { MapFrame.distance($0, middle) }
    self.distances = distances
    let sorted = distances.sorted()
    var limit = Double.infinity
    if places.count >= MapFrame.fewest {
      let left = max(1, places.count / MapFrame.part)
      limit = max(MapFrame.least, MapFrame.factor * sorted[places.count - left - 1])
    }
    isWithin = distances.map { $0 <= limit }
    // The circle of a position that is hardly known shrinks the others as a wrong one does. Where most are
    // known no better, it is seen whole.
    let radii = places.map(\.radius).sorted()
    let widest = max(limit, radii.isEmpty ? 0 : radii[radii.count / 2])
    framed = places.indices.filter { distances[$0] <= limit }.map { index in
      let place = places[index]
      return (place.latitude, place.longitude, min(place.radius, widest))
    }
  }

  private typealias Direction = (x: Double, y: Double, z: Double)

  /// From the middle of the earth: so that a median knows no date line.
  private static func direction(_ place: Place) -> Direction {
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  /// The median in each of the three directions, on the ground again.
  private static func middle(of directions: [Direction]) -> Direction {
    guard let first = directions.first else { return (1, 0, 0) }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let x = median(directions.map(\.x))
    let y = median(directions.map(\.y))
    let z = median(directions.map(\.z))
    let length = (x * x + y * y + z * z).squareRoot()
    // Of places on opposite sides of the earth there is none.
    guard length > 1e-6 else { return first }
    return (x / length, y / length, z / length)
  }

  /// On a great circle, m.
  private static func distance(_ one: Direction, _ other: Direction) -> Double {
    let (x, y, z) = (one.x - other.x, one.y - other.y, one.z - other.z)
    return 2 * asin(min(1, (x * x + y * y + z * z).squareRoot() / 2)) * MapProjection.radius
  }
}
