import SafeText

/// A part of a picture with axes: places data in it, and draws what is common to all of them.
struct PicturePanel {
  /// How large a panel is.
  static let size = (width: 640.0, height: 180.0)
  private static let margin = 48.0

  private let top: Double
  private let x: ClosedRange<Double>
  private let y: ClosedRange<Double>
  /// What is drawn, as elements.
  private(set) var elements: [String]

  /// A panel with a heading, for data in these ranges.
  init(_ heading: String, top: Double, x: ClosedRange<Double>, y: ClosedRange<Double>) {
    self.top = top
    // A range without a width has no scale.
    self.x = x.lowerBound...max(x.upperBound, x.lowerBound + 1e-9)
    self.y = y.lowerBound...max(y.upperBound, y.lowerBound + 1e-9)
    let (left, right) = (PicturePanel.margin, PicturePanel.size.width - 8)
    let (low, high) = (top + PicturePanel.size.height - 24, top + 24)
    elements = [
      "<text class=\"h\" x=\"\(left)\" y=\"\(top + 14)\">\(XMLText.escaped(heading))</text>",
      "<path class=\"axis\" d=\"M\(left) \(high)V\(low)H\(right)\"/>",
    ]
    for value in [self.y.lowerBound, self.y.upperBound] {
      text(PicturePanel.short(value), at: (self.x.lowerBound, value), "end", offset: (-4, 4))
    }
    for (value, anchor) in [(self.x.lowerBound, "start"), (self.x.upperBound, "end")] {
      text(PicturePanel.short(value), at: (value, self.y.lowerBound), anchor, offset: (0, 16))
    }
  }

  /// Draws a line through points.
  mutating func line(_ points: [(Double, Double)], _ style: String) {
    guard points.count > 1 else { return }
    let places = points.map { place($0) }.map {
      "\(PicturePanel.short($0.0)),\(PicturePanel.short($0.1))"
    }
    elements.append("<polyline class=\"\(style)\" points=\"\(places.joined(separator: " "))\"/>")
  }

  /// Draws a point.
  mutating func dot(_ point: (Double, Double), _ style: String) {
    let (x, y) = place(point)
    elements.append(
      "<circle class=\"\(style)\" cx=\"\(PicturePanel.short(x))\" cy=\"\(PicturePanel.short(y))\" r=\"3\"/>"
    )
  }

  /// Draws a band over the whole width.
  mutating func band(_ low: Double, _ high: Double) {
    let (left, bottom) = place((x.lowerBound, max(low, y.lowerBound)))
    let (right, top) = place((x.upperBound, min(high, y.upperBound)))
    elements.append(
      "<rect class=\"band\" x=\"\(PicturePanel.short(left))\" y=\"\(PicturePanel.short(top))\" "
        + "width=\"\(PicturePanel.short(right - left))\" height=\"\(PicturePanel.short(max(0, bottom - top)))\"/>"
    )
  }

  private mutating func text(
    _ text: String, at point: (Double, Double), _ anchor: String, offset: (Double, Double)
  ) {
    let (x, y) = place(point)
    elements.append(
      "<text text-anchor=\"\(anchor)\" x=\"\(PicturePanel.short(x + offset.0))\" "
        + "y=\"\(PicturePanel.short(y + offset.1))\">\(XMLText.escaped(text))</text>")
  }

  private func place(_ point: (Double, Double)) -> (Double, Double) {
    let across = (point.0 - x.lowerBound) / (x.upperBound - x.lowerBound)
    let up = (point.1 - y.lowerBound) / (y.upperBound - y.lowerBound)
    let width = PicturePanel.size.width - PicturePanel.margin - 8
    let height = PicturePanel.size.height - 48
    return (
      PicturePanel.margin + min(max(across, 0), 1) * width,
      top + 24 + (1 - min(max(up, 0), 1)) * height
    )
  }

  /// A number with at most two digits after the point.
  static func short(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
