/// Where the labels of a map stand: beside their points, on no line, no point and no other label.
struct LabelLayout {
  /// On which side of its point a label stands.
  enum Side: CaseIterable, Sendable {
    case rightAbove, leftAbove, rightBelow, leftBelow, above, below
  }

  /// A label that has its place.
  struct Label: Sendable {
    let text: String
    let side: Side
    let box: MapBox
  }

  /// Of a character on average, at the size of 12 pixels that labels have.
  static let characterWidth = 6.2
  /// From the highest to the lowest stroke of a line.
  static let height = 14.0
  /// Of the largest point.
  static let pointRadius = 6.0

  private let picture: MapBox
  private let lines: [(start: MapBox.Point, end: MapBox.Point)]
  private let points: [MapBox.Point]
  private var taken: [MapBox]

  /// A map without labels.
  ///
  /// - Parameters:
  ///   - picture: what labels stay in.
  ///   - lines: each through its points, in this order.
  ///   - taken: what else they leave free.
  init(
    in picture: MapBox, lines: [[MapBox.Point]], points: [MapBox.Point], taken: [MapBox] = []
  ) {
    self.picture = picture
    self.lines = lines.flatMap { line in
      zip(line, line.dropFirst()).map { (start: $0, end: $1) }
    }
    self.points = points
    self.taken = taken
  }

  /// Gives a label the first side on which it is in nobody's way.
  ///
  /// - Parameter isRequired: whether it gets the side where it meets least when there is no such side.
  /// - Returns: nil for a label that is left out.
  mutating func place(_ text: String, at point: MapBox.Point, isRequired: Bool) -> Label? {
    var best: (label: Label, hits: Int)?
    for side in Side.allCases {
      let box = LabelLayout.box(of: text, at: point, on: side)
      let least = best?.hits ?? Int.max
      let count = hits(of: box, atMost: isRequired ? least : 1)
      if count < least { best = (Label(text: text, side: side, box: box), count) }
      if count == 0 { break }
    }
    guard let best, isRequired || best.hits == 0 else { return nil }
    taken.append(best.label.box)
    return best.label
  }

  private static func box(
    of text: String, at point: MapBox.Point, on side: Side
  ) -> MapBox {
    let width = Double(text.count) * characterWidth
    let left =
      switch side {
      case .rightAbove, .rightBelow: point.x + 8
      case .leftAbove, .leftBelow: point.x - 8 - width
      case .above, .below: point.x - width / 2
      }
    let top =
      switch side {
      case .rightAbove, .leftAbove: point.y - 4 - height
      case .rightBelow, .leftBelow: point.y + 4
      case .above: point.y - 9 - height
      case .below: point.y + 9
      }
    return MapBox(left: left, top: top, right: left + width, bottom: top + height)
  }

  /// How much there is in a box already; counted no further than to a limit.
  private func hits(of box: MapBox, atMost limit: Int) -> Int {
    // A label that is cut off says nothing: worse than any line through it.
    var hits = picture.contains(box) ? 0 : lines.count + points.count + taken.count + 1
    for other in taken where hits < limit && box.meets(other) { hits += 1 }
    for point in points where hits < limit && box.meets(point, radius: Self.pointRadius) {
      hits += 1
    }
    for line in lines where hits < limit && box.meets(line.start, line.end) { hits += 1 }
    return hits
  }
}
