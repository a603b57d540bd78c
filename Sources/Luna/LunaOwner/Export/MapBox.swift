/// A rectangle on a picture, pixels from the picture's upper left corner.
struct MapBox: Equatable, Sendable {
  typealias Point = (x: Double, y: Double)

  let left: Double
  let top: Double
  let right: Double
  let bottom: Double

  func contains(_ point: Point) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  func contains(_ other: MapBox) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }

  func meets(_ other: MapBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// Whether a disc reaches into it.
  func meets(_ middle: Point, radius: Double) -> Bool {
    let x = middle.x - min(max(middle.x, left), right)
    let y = middle.y - min(max(middle.y, top), bottom)
    return x * x + y * y < radius * radius
  }

  /// Whether a line from one point to another has a part in it (Liang and Barsky, "A New Concept and
  /// Method for Line Clipping", 1984).
  func meets(_ start: Point, _ end: Point) -> Bool {
    var (first, last) = (0.0, 1.0)
    let (x, y) = (end.x - start.x, end.y - start.y)
    for (step, room) in [
      (-x, start.x - left), (x, right - start.x), (-y, start.y - top), (y, bottom - start.y),
    ] {
      if step == 0 {
        guard room >= 0 else { return false }
      } else if step < 0 {
        first = max(first, room / step)
      } else {
        last = min(last, room / step)
      }
    }
    return first <= last
  }

  /// Where a ray from a point within it, through another point, leaves it.
  func border(from middle: Point, towards point: Point) -> Point {
    let (x, y) = (point.x - middle.x, point.y - middle.y)
    let across: Double =
      x > 0 ? (right - middle.x) / x : x < 0 ? (left - middle.x) / x : .infinity
    let along: Double =
      y > 0 ? (bottom - middle.y) / y : y < 0 ? (top - middle.y) / y : .infinity
    let reach = min(across, along)
    guard reach.isFinite else { return middle }
    return (middle.x + x * reach, middle.y + y * reach)
  }
}
