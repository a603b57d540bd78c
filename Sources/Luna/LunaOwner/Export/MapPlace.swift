/// Where an event stands on a picture.
struct MapPlace: Sendable {
  let x: Double
  let y: Double
  /// How far away it is, m, where it stands at the edge in its direction; nil where it stands where it was.
  let distance: Double?
  /// In which direction it lies then, degrees clockwise from the right.
  let angle: Double

  var point: MapBox.Point { (x, y) }
}
